// Medians and intervals of samples.
#pragma once

#include <span>
#include <vector>

namespace parallax {

/// Median and a confidence interval for it.
struct Estimate {
    double median = 0;
    double low = 0,
           high = 0;        ///< the interval; the extremes where there are too few samples
    double confidence = 0;  ///< at least the requested one, unless samples are too few
    double spread = 0;      ///< median absolute deviation from the median, relative to it

    /// Half the width of the interval, relative to the median.
    double half_width() const { return median > 0 ? (high - low) / 2 / median : 0; }
};

/// The median of the values (at least one), in any order.
double median_of(std::vector<double> values);

/// The median of the samples (at least one), in any order, with the distribution-free interval from
/// order statistics: the number of samples below the median is binomial with p = 1/2.
Estimate estimate_median(std::span<const double> samples, double confidence = 0.95);

}  // namespace parallax
