// One case on two sides, timed alternately.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/statistics/ratio.hpp"
#include "records/record.hpp"

namespace parallax {

/// One round: quads in the orders A B B A and B A A B alternately.
struct PairRound {
    unsigned repeats_a = 0, repeats_b = 0;  ///< runs in a batch
    bool a_first = true;                    ///< the first quad is A B B A
    std::vector<double> a, b;               ///< seconds of one run, two a quad
    double log_ratio = 0;                   ///< median over the quads of ln(b b / a a) / 2
    std::string disturbed;  ///< why it does not count: a sentence without its full stop
};

/// The round's log ratio from its samples. @throws Error when they are not whole quads
double log_ratio_of(const PairRound&);

/// The most that the interval of a pair may miss.
inline constexpr double most_pair_error = 0.05;
/// The least: a billion cases in one report.
inline constexpr double least_pair_error = most_pair_error / 1e9;
/// That one of so many intervals may miss, so that none of them does in all but most_pair_error.
constexpr double error_of_each(std::size_t intervals) {
    return most_pair_error / static_cast<double>(intervals > 0 ? intervals : 1);
}

/// What was measured.
struct PairTiming {
    double error = most_pair_error;  ///< that the interval misses, over all looks
    std::vector<unsigned>
        interim_analyses;           ///< counts of rounds after which the data are looked at
    unsigned look = 0;              ///< looks taken; 0: the first was not reached
    unsigned launches = 1;          ///< commands of one run, each of which a queue delays
    std::vector<PairRound> rounds;  ///< disturbed ones among them
    std::string stopped_by;         ///< `decided`, `looks`, `time`, `disturbed`

    /// The log ratios of the rounds that count.
    std::vector<double> log_ratios() const;
    /// With the interval of the last look. Nothing before the first. When disturbances kept it from
    /// the first look it is that of all rounds, and decides nothing.
    /// @param most_error  that it may miss, where that is less than `error`
    std::optional<Ratio> ratio(double most_error = most_pair_error) const;
    /// Why it decides nothing although there may be an interval: a sentence; empty: it may decide.
    std::string doubt() const;
};

/// Distances between the elements of two sides' outputs.
struct AnswerDistances {
    bool identical = false;  ///< bit by bit
    std::uint64_t elements = 0, differing = 0;
    double largest_ulp = 0, median_ulp = 0;  ///< median over the elements that differ
    std::optional<std::uint64_t> first;      ///< index of the first that differs
    std::string first_a, first_b;            ///< its values
};

/// A case that was timed on two devices alternately, or on one against itself.
struct Pair {
    CaseKey key;
    RunInfo run;
    std::string a, b;    ///< the devices, `backend:index` in that run
    bool self = false;   ///< a side against itself
    double planted = 0;  ///< of a self-test: the factor by which B was slowed on purpose; 0: none
    PairTiming timing;
    double launch_seconds_a = 0, launch_seconds_b = 0;  ///< of an empty launch; 0: not measured
    double measuring_seconds = 0;                       ///< spent in timed batches
    std::optional<AnswerDistances> answer;              ///< nothing: outputs were not compared
};

}  // namespace parallax
