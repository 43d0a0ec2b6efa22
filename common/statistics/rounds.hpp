// The interval of a ratio from rounds that were measured one after the other.
#pragma once

#include <span>

#include "common/statistics/ratio.hpp"

namespace parallax {

/// One round: its log ratio, which side allocated and ran first, and the spread of one side's
/// batches, in the logarithm.
struct RoundLog {
    double log = 0;
    bool a_first = true;
    double spread = 0;
};

/// The difference, as a logarithm, that two device objects of one card may show at one kernel
/// although each round allocates everything again: a queue's own memory keeps its address, and
/// costs each launch its part, and a driver reuses memory that was freed. docs/concepts/verdicts.md
/// has the results of self-comparisons.
/// @param launch_seconds  mean time of one launch of the run
double placement_uncertainty(double launch_seconds);

/// The interval of the mean of these rounds (at least two, in the order in which they were
/// measured):
/// - one outlier in twenty rounds, off by a quarter or more, is discarded;
/// - the effect of the order of the sides is removed where both orders occur;
/// - Student's t, widened for autocorrelation; where that is strong, as wide as the range of the
///   rounds themselves;
/// - with two modes it contains both of them;
/// - never narrower than `placement`.
/// Ratio::caution says what made it wider.
/// @param error  probability that the interval misses, two-sided
/// @param confidence  stated in the result: 1 - the error of all interim analyses together
Ratio rounds_ratio(std::span<const RoundLog>, double placement, double error, double confidence);

}  // namespace parallax
