// Third question, of what was kept: how the times of two sides relate, and how sure that is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/result_set.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {

/// A ratio and what is to be said of it.
struct StoredRatio {
    std::optional<Ratio> ratio;
    /// Why it decides nothing, a sentence; empty: it may decide.
    std::string doubt;
    /// Stored, one run on a side: how far the interval reaches to each side, as a ratio.
    std::optional<double> least_visible;
};

/// The ratio of a case. In order of preference:
/// - pairs that were timed in turns: the interval of the rounds; of several, each is one unit;
/// - runs on both sides, at least two each: Welch's interval of their medians, a run one unit;
/// - one run on a side: Welch's interval of the medians of rounds, in which differences between
///   processes are not seen. widen_by_spread adds what the cases together show of those.
/// Records that are not ok count for nothing.
/// @param error  that the interval misses at most: error_of_each() of a report's cases
StoredRatio stored_ratio(const std::vector<const Record*>& a, const std::vector<const Record*>& b,
                         const std::vector<const Pair*>& pairs, double error = most_pair_error);

/// Widens intervals that rest on one run a side by how much the ratios of all such cases scatter
/// round their median. They decide nothing all the same: how far one run of a case may lie from the
/// next is known from runs of it alone, and a scatter of others has no bound for its rare ones.
void widen_by_spread(std::vector<StoredRatio>&, double error = most_pair_error);

}  // namespace parallax
