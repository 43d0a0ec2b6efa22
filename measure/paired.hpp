// The clock of a comparison: rounds of quads, looked at after fixed counts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "studies/diff/diff.hpp"

namespace parallax {

/// When a comparison has seen enough. The unit is the round: programs and buffers are made anew for
/// each, so what placement does to a kernel is part of what varies.
struct PairRule {
    /// Rounds after which the interval is looked at. The error is split evenly between the looks,
    /// so that all of them together miss no more often than `error`.
    std::vector<unsigned> looks{5, 10, 20, 40};
    double error = 0.05;
    std::vector<double> edges;  ///< it ends when the interval holds none of them
    double most_seconds = 2;    ///< host time for all rounds; the first look is taken all the same
    unsigned disturbed = 2;     ///< tries at a round, times the rounds of the last look, at most
};

/// One round: quads in the orders A B B A and B A A B by turns.
struct PairRound {
    unsigned repeats_a = 0, repeats_b = 0;  ///< runs in a batch
    bool a_first = true;                    ///< the first quad is A B B A
    std::vector<double> a, b;               ///< seconds of one run, two a quad
    double log_ratio = 0;                   ///< median over the quads of ln(b b / a a) / 2
    std::string disturbed;  ///< why it does not count: a sentence without its full stop
};

/// The round's log ratio from its samples.
double log_ratio_of(const PairRound&);

/// What was measured.
struct PairTiming {
    std::vector<PairRound> rounds;  ///< disturbed ones among them
    std::vector<unsigned> looks;    ///< of the rule
    double error = 0.05;            ///< of the rule
    unsigned look = 0;              ///< looks taken; 0: the first was not reached
    std::string stopped_by;         ///< `decided`, `looks`, `time`, `disturbed`

    /// Of the rounds that count.
    std::vector<double> log_ratios() const;
    /// With the interval of the last look. Nothing before the first. When disturbances kept it from
    /// the first look it is that of all rounds, and decides nothing.
    std::optional<Ratio> ratio() const;
    /// Why it decides nothing although there may be an interval: a sentence; empty: it may decide.
    std::string doubt() const;
};

/// Runs rounds until the rule is met.
/// @param round  makes round `number` (from 0); what it throws ends the measurement
PairTiming measure_pair(const std::function<PairRound(unsigned number)>& round, const PairRule&);

}  // namespace parallax
