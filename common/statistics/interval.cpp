// Student's t intervals of the logarithms of ratios; the distribution is Boost's.
#include "common/statistics/interval.hpp"

#include <cmath>
#include <utility>

#include <boost/math/distributions/students_t.hpp>

#include "common/error.hpp"

namespace parallax {
namespace {

/// Mean and the variance of the mean, of logarithms.
struct Moments {
    double mean = 0, variance = 0;
    double degrees = 0;
};

Moments moments_of(std::span<const double> values) {
    if (values.size() < 2) throw Error("An interval needs two independent units at least.");
    Moments m;
    const auto n = static_cast<double>(values.size());
    for (const double value : values) m.mean += value / n;
    double squares = 0;
    for (const double value : values) squares += (value - m.mean) * (value - m.mean);
    m.degrees = n - 1;
    m.variance = squares / m.degrees / n;
    return m;
}

Ratio ratio_from(double mean, double variance, double degrees, double error) {
    Ratio ratio;
    ratio.log_error = std::sqrt(variance);
    ratio.degrees = degrees;
    ratio.confidence = 1 - error;
    const double reach = student_quantile(1 - error / 2, degrees) * ratio.log_error;
    ratio.value = std::exp(mean);
    ratio.low = std::exp(mean - reach);
    ratio.high = std::exp(mean + reach);
    return ratio;
}

/// Satterthwaite's degrees of freedom of a sum of variances.
class Sum {
public:
    void add(double variance, double degrees) {
        variance_ += variance;
        if (degrees > 0) parts_ += variance * variance / degrees;
    }
    double variance() const { return variance_; }
    double degrees() const {
        // Without any variance the degrees of freedom are practically infinite.
        return parts_ > 0 ? std::max(1.0, variance_ * variance_ / parts_) : 1e6;
    }

private:
    double variance_ = 0, parts_ = 0;
};

std::vector<double> logs_of(std::span<const double> seconds) {
    std::vector<double> logs;
    for (const double one : seconds) logs.push_back(std::log(one));
    return logs;
}

}  // namespace

double student_quantile(double p, double degrees) {
    return boost::math::quantile(boost::math::students_t(degrees), p);
}

Ratio paired_ratio(std::span<const double> log_ratios, double error, double confidence) {
    const Moments m = moments_of(log_ratios);
    Ratio ratio = ratio_from(m.mean, m.variance, m.degrees, error);
    ratio.confidence = confidence;
    ratio.units_a = ratio.units_b = log_ratios.size();
    ratio.basis = "paired rounds";
    return ratio;
}

Ratio unpaired_ratio(std::span<const double> seconds_a, std::span<const double> seconds_b,
                     double error) {
    const Moments a = moments_of(logs_of(seconds_a)), b = moments_of(logs_of(seconds_b));
    Sum sum;
    sum.add(a.variance, a.degrees);
    sum.add(b.variance, b.degrees);
    Ratio ratio = ratio_from(b.mean - a.mean, sum.variance(), sum.degrees(), error);
    ratio.units_a = seconds_a.size();
    ratio.units_b = seconds_b.size();
    ratio.basis = "runs";
    return ratio;
}

Ratio turned_round(Ratio ratio) {
    ratio.value = 1 / ratio.value;
    ratio.low = 1 / std::exchange(ratio.high, 1 / ratio.low);
    std::swap(ratio.units_a, ratio.units_b);
    return ratio;
}

Ratio relative_ratio(const Ratio& ratio, const Ratio& baseline) {
    Sum sum;
    sum.add(ratio.log_error * ratio.log_error, ratio.degrees);
    sum.add(baseline.log_error * baseline.log_error, baseline.degrees);
    const double error = 1 - std::min(ratio.confidence, baseline.confidence);
    Ratio relative = ratio_from(std::log(ratio.value) - std::log(baseline.value), sum.variance(),
                                sum.degrees(), error);
    // Never narrower than both intervals, which share the error of the interim analyses.
    const auto reach = [](const Ratio& r) {
        return std::max(std::log(r.high / r.value), std::log(r.value / r.low));
    };
    const double least = std::hypot(reach(ratio), reach(baseline));
    if (reach(relative) < least) {
        relative.low = relative.value * std::exp(-least);
        relative.high = relative.value * std::exp(least);
    }
    relative.units_a = baseline.units_a;
    relative.units_b = ratio.units_a;
    relative.basis = ratio.basis;
    return relative;
}

Ratio mean_ratio(const std::vector<Ratio>& ratios) {
    if (ratios.empty()) throw Error("A mean of no ratios.");
    const auto n = static_cast<double>(ratios.size());
    Sum sum;
    double mean = 0, placement = 0;
    for (const Ratio& ratio : ratios) {
        mean += std::log(ratio.value) / n;
        sum.add(ratio.log_error * ratio.log_error / (n * n), ratio.degrees);
        placement += ratio.placement / n;
    }
    Ratio all = ratio_from(mean, sum.variance(), sum.degrees(), 0.05);
    // All used the same two queues: their placement uncertainty does not average out.
    const double reach = std::hypot(std::log(all.high / all.value), placement);
    all.low = all.value * std::exp(-reach);
    all.high = all.value * std::exp(reach);
    all.placement = placement;
    all.units_a = all.units_b = ratios.size();
    all.basis = "cases";
    return all;
}

std::vector<double> edges_of(double margin, std::optional<double> max_slowdown) {
    std::vector<double> edges{1 / (1 + margin), 1 + margin};
    if (max_slowdown) edges.push_back(1 + *max_slowdown);
    return edges;
}

bool is_decided(const Ratio& ratio, std::span<const double> edges) {
    for (const double edge : edges) {
        if (ratio.low <= edge && edge <= ratio.high) return false;
    }
    return std::isfinite(ratio.low) && std::isfinite(ratio.high);
}

Verdict verdict_of(const Ratio& ratio, double margin) {
    if (!is_decided(ratio, edges_of(margin, {}))) return Verdict::undecided;
    if (ratio.low > 1 + margin) return Verdict::slower;
    return ratio.high < 1 / (1 + margin) ? Verdict::faster : Verdict::same;
}

}  // namespace parallax
