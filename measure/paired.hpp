// The clock of a comparison: rounds of quads, looked at after fixed counts.
#pragma once

#include <cstddef>
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
    /// Even, so that both sides are the first equally often. What they miss (missed_share) holds
    /// for rounds that do not follow one another closely: these looks are for comparisons that take
    /// turns (fewest_interleaved).
    std::vector<unsigned> interim_analyses{14, 28, 56};
    double error = 0.05;
    unsigned launches = 1;      ///< commands of one run
    std::vector<double> edges;  ///< it ends when the interval holds none of them
    double most_seconds = 2;    ///< host time for all rounds; the first look is taken all the same
    unsigned disturbed = 2;     ///< tries at a round, times the rounds of the last look, at most
    /// Batches that would take longer, for as few rounds as there may be, are not begun; 0: any.
    double longest_seconds = 0;
};

/// Rounds of the earliest first look.
inline constexpr unsigned least_rounds = 6;

/// For a comparison by itself, or one of few.
inline const std::vector<unsigned> careful_analyses{30, 60};

/// So many comparisons have to take turns with one another for PairRule's looks to be enough: what
/// a device does for ten rounds on end then falls on two or three of each. Fewer are looked at with
/// care.
inline constexpr std::size_t fewest_interleaved = 4;

/// How likely so many rounds are to show nothing of what a share of all rounds shows: (1-p)^n.
double missed_share(double share, std::size_t rounds);

/// The rounds of one comparison, as they are made, until the rule is met.
class PairMeasurement {
public:
    explicit PairMeasurement(PairRule);

    /// Whether no further round is wanted; what ended it is in `timing().stopped_by`.
    bool has_ended() const { return !timing_.stopped_by.empty(); }
    /// The number of the round that comes next, from 0.
    unsigned next() const { return static_cast<unsigned>(timing_.rounds.size()); }
    /// Adds that round. @param seconds  of the host, that it took
    void add(PairRound, double seconds);
    /// Gives it time that others have left over.
    void allow_more(double seconds) { rule_.most_seconds += seconds; }
    /// Of the time that it may take, what it has not taken.
    double left_seconds() const { return rule_.most_seconds - seconds_; }
    const PairTiming& timing() const { return timing_; }

private:
    void look_at();

    PairRule rule_;
    PairTiming timing_;
    unsigned counted_ = 0;
    double first_seconds_ = 0, seconds_ = 0;
};

/// Runs rounds until the rule is met.
/// @param round  makes round `number` (from 0); what it throws ends the measurement
PairTiming measure_pair(const std::function<PairRound(unsigned number)>& round, const PairRule&);

}  // namespace parallax
