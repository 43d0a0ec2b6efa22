// Computes the median and its interval from order statistics.
#include "common/statistics/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "common/error.hpp"

namespace parallax {
namespace {

/// std::lgamma writes a global variable.
double log_factorial(double n) {
    int sign = 0;
    return ::lgamma_r(n + 1, &sign);
}

double median_of_sorted(std::span<const double> sorted) {
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

}  // namespace

double median_of(std::vector<double> values) {
    if (values.empty()) throw Error("A median of no values.");
    std::ranges::sort(values);
    return median_of_sorted(values);
}

Estimate estimate_median(std::span<const double> samples, double confidence) {
    if (samples.empty()) throw Error("A median of no samples.");
    std::vector<double> sorted(samples.begin(), samples.end());
    std::ranges::sort(sorted);
    Estimate estimate;
    estimate.median = median_of_sorted(sorted);

    // P(k-th smallest < median < k-th largest) = 1 - 2 P(B <= k - 1), B binomial(n, 1/2). The
    // largest k with the requested confidence is used; k = 0 falls back to the extremes.
    const auto n = static_cast<double>(sorted.size());
    double tail = 0;
    std::size_t k = 0;
    estimate.confidence = 1 - 2 * std::exp2(-n);
    for (std::size_t i = 0; i < sorted.size() / 2; ++i) {
        const auto j = static_cast<double>(i);
        tail += std::exp(log_factorial(n) - log_factorial(j) - log_factorial(n - j) -
                         n * std::log(2.0));
        if (1 - 2 * tail < confidence) break;
        k = i;
        estimate.confidence = 1 - 2 * tail;
    }
    estimate.low = sorted[k];
    estimate.high = sorted[sorted.size() - 1 - k];

    for (double& value : sorted) value = std::fabs(value - estimate.median);
    std::ranges::sort(sorted);
    estimate.spread = estimate.median > 0 ? median_of_sorted(sorted) / estimate.median : 0;
    return estimate;
}

}  // namespace parallax
