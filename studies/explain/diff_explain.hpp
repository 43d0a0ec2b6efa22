// `parallax diff --explain`: why the cases of a live diff that are not the same speed are not.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "studies/diff/diff.hpp"
#include "studies/explain/explain.hpp"

namespace parallax {

/// Seconds that one case may take, and all cases of a diff together.
inline constexpr double gap_seconds = 20, all_gaps_seconds = 60;

/// Whether experiments can say why: FASTER or SLOWER, undisturbed, and one text on both sides.
bool has_gap_to_explain(const CaseDiff&);

/// Explains the cases of the diff that have a gap, at their sizes, the largest gap first, until
/// all_gaps_seconds have passed. One that cannot be explained is told, and the others go on; those
/// that are left are told in one sentence.
/// @param request  the sides and the margin; its case and its budget are set here
/// @param explain  makes one, and keeps nothing: the diff has records and a pair of the case
/// @param keep  takes each explanation
/// @throws Interrupted; UsageError when `keep` does
void explain_gaps(const Diff&, ExplainRequest request,
                  const std::function<Explanation(const ExplainRequest&)>& explain,
                  const std::function<void(const Explanation&)>& keep,
                  const std::function<void(const std::string&)>& trouble);

/// Gives each gap between OpenCL and CUDA on one device, which no experiment of the diff's own
/// explains, the cause that was found of the same case and the same slower side.
void add_known_causes(Diff&, const std::vector<Explanation>& earlier);

/// The changes that were named for this kernel, of whatever size and constants, each once: worth to
/// be tried first.
std::vector<std::string> known_changes(const Case&, const std::vector<Explanation>& earlier);

}  // namespace parallax
