// One case on two sides, timed alternately.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/statistics/ratio.hpp"
#include "records/record.hpp"

namespace parallax {

/// One round: quads in the order A B B A or B A A B.
struct PairRound {
    unsigned repeats_a = 0, repeats_b = 0;  ///< number of runs in a batch
    bool a_first = true;                    ///< the first quad is A B B A
    std::vector<double> a, b;               ///< seconds of one run, two per quad
    double log_ratio = 0;                   ///< median over the quads of ln(b b / a a) / 2
    std::string disturbed;  ///< why it does not count: a sentence without its full stop
};

/// The round's log ratio from its samples. @throws Error when they are not whole quads
double log_ratio_of(const PairRound&);

/// Maximum error probability of a pair's interval.
inline constexpr double most_pair_error = 0.05;
/// Minimum: a billion cases in one report.
inline constexpr double least_pair_error = most_pair_error / 1e9;
/// The error of each of several intervals with a joint error of most_pair_error (Bonferroni).
constexpr double error_of_each(std::size_t intervals) {
    return most_pair_error / static_cast<double>(intervals > 0 ? intervals : 1);
}

/// The measurement.
struct PairTiming {
    double error = most_pair_error;  ///< that the interval misses, over all interim analyses
    std::vector<unsigned> interim_analyses;  ///< numbers of rounds
    unsigned look = 0;              ///< number of analyses done; 0: the first was not reached
    unsigned launches = 1;          ///< commands of one run, each with launch time
    std::vector<PairRound> rounds;  ///< including disturbed ones
    std::string stopped_by;         ///< `decided`, `looks`, `time`, `disturbed`

    /// The log ratios of the rounds that count.
    std::vector<double> log_ratios() const;
    /// With the interval of the last analysis; empty before the first. If disturbances prevented
    /// the first analysis, it is the interval of all rounds, and decides nothing.
    /// @param most_error  of the interval, if less than `error`
    std::optional<Ratio> ratio(double most_error = most_pair_error) const;
    /// Why the interval decides nothing: a sentence; empty: it may decide.
    std::string doubt() const;
};

/// Distances between the elements of two sides' outputs.
struct AnswerDistances {
    bool identical = false;  ///< bitwise
    std::uint64_t elements = 0, differing = 0;
    double largest_ulp = 0, median_ulp = 0;  ///< median over the elements that differ
    std::optional<std::uint64_t> first;      ///< index of the first difference
    std::string first_a, first_b;            ///< its values
};

/// A case timed alternately on two devices, or on one against itself.
struct Pair {
    CaseKey key;
    RunInfo run;
    std::string a, b;    ///< the devices, `backend:index` in that run
    bool self = false;   ///< a side against itself
    double planted = 0;  ///< in a self-test: the factor by which B was slowed on purpose; 0: none
    PairTiming timing;
    double launch_seconds_a = 0, launch_seconds_b = 0;  ///< of an empty launch; 0: not measured
    double measuring_seconds = 0;                       ///< spent in timed batches
    std::optional<AnswerDistances> answer;              ///< empty: outputs were not compared
};

}  // namespace parallax
