// The interval of a ratio from rounds that were made one after the other.
#pragma once

#include <span>

#include "common/statistics/ratio.hpp"

namespace parallax {

/// One round: its log ratio, which side was the first to get its memory and to run, and how far the
/// batches of one side lie apart, in the logarithm.
struct RoundLog {
    double log = 0;
    bool a_first = true;
    double spread = 0;
};

/// How far, in the logarithm, two device objects of one card may differ at one kernel although each
/// round places everything anew: a queue's own memory lies where it lies, and costs each launch its
/// part; and what a driver gives back it gives again. What self-comparisons show of it is in
/// docs/concepts/verdicts.md.
/// @param launch_seconds  of one launch of the run, in the mean
double placement_uncertainty(double launch_seconds);

/// The interval of the mean of these rounds (at least two, made in this order):
/// - one round of twenty may lie far off, by a quarter or more, and is left out;
/// - what the order of the sides does to a round is taken out, where both orders are there: the
///   mean is that of the means of both, and the scatter that round its own;
/// - Student's t; wider by how much each round follows the one before, and when it does so closely,
///   as wide as the rounds themselves reach;
/// - where the rounds fall apart into two states, it holds both of them;
/// - never narrower than `placement`.
/// Ratio::caution says what made it wider.
/// @param error  probability that the interval misses, both tails together
/// @param confidence  stated in the result: 1 - the error of all looks together
Ratio rounds_ratio(std::span<const RoundLog>, double placement, double error, double confidence);

}  // namespace parallax
