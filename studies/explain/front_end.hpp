// What two front ends made of one text, by experiment: parts of the faster PTX in the slower one.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "studies/explain/ptx_groups.hpp"
#include "studies/explain/trials.hpp"

namespace parallax {

/// The PTX of both front ends, by kernel, as CUDA's driver takes it, and what is known of the two.
struct FrontEnds {
    Both<std::map<std::string, std::string>> ptx;  ///< of A's and of B's
    /// Time of B's over time of A's, both assembled and run by CUDA's driver; none: not measured
    /// yet.
    std::optional<Ratio> gap;
};

/// What is said of kernels that have no part which could be moved; may be empty.
struct NotMoved {
    std::string why;
    std::string counts;  ///< what an item executes of both, by kind
};

/// Gaps are looked into of which at least this share arises in the front ends.
inline constexpr double least_front_end_share = 0.3;

/// Finds the regions of the kernels in which the two differ, moves each of the faster text into the
/// slower, and measures: a trial each, as long as there is time. A region that cannot be moved is a
/// trial that says why.
NotMoved move_regions(ExplainContext&, Trials&, const FrontEnds&);

/// A launch of that kernel as PtxWalk follows it, with the case's inputs.
/// @param inputs  of the plan's buffers that are loaded, in order
PtxLaunch followed_launch(const Plan&, const std::string& kernel,
                          const std::vector<HostArray>& inputs);

/// Disjoint groups that carry most of what differs, of those that carry it alike the smallest: each
/// with the larger and the smaller ones that may stand for it, in the order in which to try them.
std::vector<std::vector<PtxGroup>> choose_groups(std::vector<PtxGroup>, std::size_t most);

}  // namespace parallax
