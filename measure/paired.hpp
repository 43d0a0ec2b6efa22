// The stopping rule of a comparison: rounds of A B B A with interim analyses at fixed counts.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/process/thread_pool.hpp"
#include "records/pair.hpp"

namespace parallax {

/// When a comparison ends. The unit is the round: buffers and kernels are relocated for each, so
/// that placement effects are part of the variation.
struct PairRule {
    /// Numbers of rounds after which the interval is analysed. The error is divided evenly, so that
    /// all analyses together miss no more often than `error`. Even, so that both sides go first
    /// equally often. missed_share holds for rounds that are not closely correlated: these counts
    /// are for comparisons that run round-robin (fewest_interleaved).
    std::vector<unsigned> interim_analyses{14, 20, 28, 40, 56};
    double error = 0.05;
    unsigned launches = 1;      ///< commands of one run
    std::vector<double> edges;  ///< it ends when the interval contains none of them
    double most_seconds = 2;  ///< host time for all rounds; the first analysis is done in any case
    unsigned disturbed = 2;   ///< most tries, as a multiple of the last analysis' rounds
    /// Longer batches, for the minimum number of rounds, are not started; 0: no limit.
    double longest_seconds = 0;
};

/// Rounds of the earliest possible first analysis.
inline constexpr unsigned least_rounds = 6;

/// For a comparison on its own, or one of few.
inline const std::vector<unsigned> careful_analyses{30, 60};

/// The minimum number of comparisons in round-robin for PairRule's analyses: a temporary effect of
/// ten consecutive rounds then affects two or three of each. Fewer comparisons use
/// careful_analyses.
inline constexpr std::size_t fewest_interleaved = 4;

/// The probability that these rounds miss a mode with this share of all rounds: (1-p)^n.
double missed_share(double share, std::size_t rounds);

/// The rounds of one comparison, added until the rule is met.
class PairMeasurement {
public:
    explicit PairMeasurement(PairRule);

    /// Whether no further round is needed; `timing().stopped_by` has the reason.
    bool has_ended() const { return !timing_.stopped_by.empty(); }
    /// The number of the next round, from 0.
    unsigned next() const { return static_cast<unsigned>(timing_.rounds.size()); }
    /// Adds that round. @param seconds  host time that it took
    void add(PairRound, double seconds);
    /// Adds time that other comparisons did not use.
    void allow_more(double seconds) { rule_.most_seconds += seconds; }
    /// The unused part of its time.
    double left_seconds() const { return rule_.most_seconds - seconds_; }
    const PairTiming& timing() const { return timing_; }

private:
    void look_at();

    PairRule rule_;
    PairTiming timing_;
    unsigned counted_ = 0;
    double first_seconds_ = 0, seconds_ = 0;
};

/// Runs `count` comparisons round-robin, one round of each at a time, until each has ended, so that
/// temporary effects of a device are spread over the rounds of many comparisons.
/// @param pool  paused while the host's work may disturb; null: none
/// @param turn  runs one round, and returns whether another is needed; an exception ends all
/// @param minds_the_host  asked after the first round: whether host work disturbs the comparison.
/// Undisturbed ones run first, unless either kind has fewer than fewest_interleaved
/// @param resumed  called when the pool is at work, during undisturbed ones: a good time to give it
/// jobs; none: nothing is called
void run_round_robin(std::size_t count, ThreadPool* pool,
                     const std::function<bool(std::size_t)>& turn,
                     const std::function<bool(std::size_t)>& minds_the_host,
                     const std::function<void()>& resumed = {});

}  // namespace parallax
