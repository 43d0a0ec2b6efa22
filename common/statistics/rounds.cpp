// Combines rounds into an interval, with effects that scatter alone does not show.
#include "common/statistics/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "common/statistics/interval.hpp"
#include "common/statistics/statistics.hpp"

namespace parallax {
namespace {

/// From comparisons of H100s with themselves (docs/concepts/verdicts.md): nanoseconds by which the
/// launches of one of two queues took longer, and the effect of memory placement where launches did
/// not count.
constexpr double launch_shift_seconds = 200e-9, memory_shift = 0.002;
/// An autocorrelation above this multiple of the standard error is significant.
constexpr double least_following = 0.7;
/// Median absolute deviations: three standard deviations of the normal distribution.
constexpr double most_deviations = 4.45;
/// Above this correlation a few dozen rounds carry the information of a handful.
constexpr double close_following = 0.3;
/// Two modes are further apart than this multiple of the scatter within each, and than this.
constexpr double state_gap = 5, least_state_gap = 0.004;
/// With fewer rounds neither is detected.
constexpr std::size_t enough_rounds = 8;
/// At most one round in this number may be discarded as an outlier, and it must deviate by more
/// than both limits below. Modes of a device are closer, and a tenth of the rounds may show as one.
constexpr std::size_t rounds_per_stray = 20;
constexpr double stray_deviations = 15, least_stray = 0.22;

double mean_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

double squares_round(std::span<const double> values, double mean) {
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return sum;
}

/// The mean over both orders of the sides, and the residuals.
struct Centred {
    double mean = 0, standard_error = 0, degrees = 0;
    double middle = 0;         ///< median of the rounds, less the mean
    std::vector<double> rest;  ///< of each round, relative to the median of its order
};

Centred centred(std::span<const RoundLog> rounds) {
    std::vector<double> of_order[2];
    for (const RoundLog& round : rounds) of_order[round.a_first].push_back(round.log);
    if (std::min(of_order[0].size(), of_order[1].size()) < 2) {
        // Too few rounds to separate the two orders: all count for both.
        of_order[0].insert(of_order[0].end(), of_order[1].begin(), of_order[1].end());
        of_order[1] = of_order[0];
    }
    const bool is_one = of_order[0].size() == rounds.size();
    Centred c;
    const auto n = static_cast<double>(rounds.size());
    const double means[]{mean_of(of_order[0]), mean_of(of_order[1])};
    // Medians, so that one outlier does not move the others.
    const double middles[]{median_of(of_order[0]), median_of(of_order[1])};
    c.mean = (means[0] + means[1]) / 2;
    c.middle = (middles[0] + middles[1]) / 2 - c.mean;
    c.degrees = is_one ? n - 1 : n - 2;
    double squares = 0;
    for (const RoundLog& round : rounds) {
        squares += std::pow(round.log - means[round.a_first], 2);
        c.rest.push_back(round.log - middles[round.a_first]);
    }
    const double of_mean = is_one ? 1 / n
                                  : (1.0 / static_cast<double>(of_order[0].size()) +
                                     1.0 / static_cast<double>(of_order[1].size())) /
                                        4;
    c.standard_error = std::sqrt(squares / c.degrees * of_mean);
    return c;
}

/// The lag-1 autocorrelation of the rounds, corrected for their number. Outliers are clipped: one
/// of them would hide the correlation.
double following(std::vector<double> rest) {
    std::vector<double> sizes;
    for (const double one : rest) sizes.push_back(std::fabs(one));
    const double far = most_deviations * median_of(std::move(sizes));
    for (double& one : rest) one = std::clamp(one, -far, far);
    double products = 0, squares = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        squares += rest[i] * rest[i];
        if (i > 0) products += rest[i] * rest[i - 1];
    }
    if (!(squares > 0)) return 0;
    const double raw = products / squares;
    return std::min(0.95, raw + (1 + 3 * raw) / static_cast<double>(rest.size()));
}

/// Rounds in two clusters with a gap in between.
struct States {
    double low = 0, high = 0;           ///< means of the two
    std::size_t lower = 0, higher = 0;  ///< rounds in each; 0: there is one mode only
};

/// A round whose deviation is explained by one of its batches is in no other mode.
States states_of(std::span<const RoundLog> rounds, std::span<const double> of_each) {
    std::vector<double> rest;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        if (rounds[i].spread <= std::fabs(of_each[i]) || rounds[i].spread <= least_state_gap) {
            rest.push_back(of_each[i]);
        }
    }
    if (rest.size() < enough_rounds) return {};
    std::ranges::sort(rest);
    std::size_t split = 1;
    for (std::size_t i = 1; i < rest.size(); ++i) {
        if (rest[i] - rest[i - 1] > rest[split] - rest[split - 1]) split = i;
    }
    const std::span<const double> all = rest, low = all.first(split), high = all.subspan(split);
    const States states{mean_of(low), mean_of(high), low.size(), high.size()};
    const double within =
        std::sqrt((squares_round(low, states.low) + squares_round(high, states.high)) /
                  static_cast<double>(rest.size() - 2));
    const double gap = high.front() - low.back();
    return gap > least_state_gap && gap > state_gap * within ? states : States{};
}

/// The rounds without outliers, unless there are too many.
std::vector<RoundLog> without_strays(std::span<const RoundLog> rounds) {
    const std::vector<double> rest = centred(rounds).rest;
    std::vector<double> sizes;
    for (const double one : rest) sizes.push_back(std::fabs(one));
    const double far = std::max(least_stray, stray_deviations * median_of(std::move(sizes)));
    std::vector<RoundLog> kept;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        if (std::fabs(rest[i]) <= far) kept.push_back(rounds[i]);
    }
    const bool are_few = rounds.size() - kept.size() <= rounds.size() / rounds_per_stray;
    return are_few ? kept : std::vector(rounds.begin(), rounds.end());
}

}  // namespace

double placement_uncertainty(double launch_seconds) {
    const double by_launch = launch_seconds > 0 ? launch_shift_seconds / launch_seconds : 0;
    return std::hypot(by_launch, memory_shift);
}

Ratio rounds_ratio(std::span<const RoundLog> all, double placement, double error,
                   double confidence) {
    const std::vector<RoundLog> rounds = without_strays(all);
    const Centred c = centred(rounds);
    Ratio ratio;
    ratio.value = std::exp(c.mean);
    ratio.confidence = confidence;
    ratio.log_error = c.standard_error;
    ratio.degrees = c.degrees;
    ratio.placement = placement;
    ratio.units_a = ratio.units_b = rounds.size();
    ratio.basis = "paired rounds";
    double reach = student_quantile(1 - error / 2, c.degrees) * c.standard_error;
    const bool is_enough = rounds.size() >= enough_rounds;
    const double follow = is_enough ? following(c.rest) : 0;
    const bool follows = follow > least_following / std::sqrt(static_cast<double>(rounds.size()));
    if (follows) reach *= std::sqrt((1 + follow) / (1 - follow));
    reach = std::hypot(reach, placement);
    double low = -reach, high = reach;
    if (const std::size_t strays = all.size() - rounds.size(); strays > 0) {
        ratio.caution = fmt::format("{} of its {} rounds lay far off the others and {} left out.",
                                    strays, all.size(), strays == 1 ? "is" : "are");
    }
    const auto add = [&](const std::string& what) {
        ratio.caution += (ratio.caution.empty() ? "" : " ") + what;
    };
    if (follows && follow > close_following) {
        const auto [least, most] = std::ranges::minmax(c.rest);
        low = std::min(low, c.middle + least);
        high = std::max(high, c.middle + most);
        add(
            fmt::format("Its rounds follow one another (correlation {:.2f}): they are worth fewer, "
                        "and the interval is as wide as they reach.",
                        follow));
    }
    if (const States states = is_enough ? states_of(rounds, c.rest) : States{}; states.lower > 0) {
        low = std::min(low, c.middle + states.low);
        high = std::max(high, c.middle + states.high);
        add(
            fmt::format("Its rounds show two states: {} of them at a ratio of {:.4f}, {} at "
                        "{:.4f}; the interval holds both.",
                        states.lower, std::exp(c.mean + c.middle + states.low), states.higher,
                        std::exp(c.mean + c.middle + states.high)));
    }
    ratio.low = std::exp(c.mean + low);
    ratio.high = std::exp(c.mean + high);
    return ratio;
}

}  // namespace parallax
