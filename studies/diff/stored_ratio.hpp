// Third question, of what was kept: how the times of two sides relate, and how sure that is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/result_set.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {

/// A ratio and its doubts.
struct StoredRatio {
    std::optional<Ratio> ratio;
    /// Why it decides nothing, a sentence; empty: it may decide.
    std::string doubt;
    /// Stored, one run on a side: how far the interval reaches to each side, as a ratio.
    std::optional<double> least_visible;
};

/// The ratio of a case. In order of preference:
/// - pairs that were timed alternately: the interval of the rounds; of several pairs, each is one
///   unit;
/// - two or more runs per side: Welch's interval of their medians, one unit per run;
/// - one run per side: Welch's interval of the medians of rounds, which do not show differences
///   between processes. widen_by_spread adds the differences that all cases together show.
/// Records that are not ok are ignored.
/// @param error  largest probability that the interval misses the ratio: error_of_each() of a
/// report's cases
StoredRatio stored_ratio(const std::vector<const Record*>& a, const std::vector<const Record*>& b,
                         const std::vector<const Pair*>& pairs, double error = most_pair_error);

/// Widens intervals that rest on one run per side by the scatter of the ratios of all such cases
/// around their median. These intervals decide nothing even then: only repeated runs of a case show
/// how far two of its runs can differ, and the scatter of other cases does not bound rare
/// deviations.
void widen_by_spread(std::vector<StoredRatio>&, double error = most_pair_error);

}  // namespace parallax
