// The clock of a comparison: rounds of quads, looked at after fixed counts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "records/pair.hpp"

namespace parallax {

/// When a comparison has seen enough. The unit is the round: buffers are made anew for each, and
/// kernels placed anew, so what placement does to a kernel is part of what varies.
struct PairRule {
    /// Rounds after which the interval is looked at. The error is split evenly between the looks,
    /// so that all of them together miss no more often than `error`.
    std::vector<unsigned> looks{5, 10, 20, 40};
    double error = 0.05;
    std::vector<double> edges;  ///< it ends when the interval holds none of them
    double most_seconds = 2;    ///< host time for all rounds; the first look is taken all the same
    unsigned disturbed = 2;     ///< tries at a round, times the rounds of the last look, at most
};

/// Runs rounds until the rule is met.
/// @param round  makes round `number` (from 0); what it throws ends the measurement
PairTiming measure_pair(const std::function<PairRound(unsigned number)>& round, const PairRule&);

}  // namespace parallax
