// The content of an explanation's reports, without layout.
#pragma once

#include <string>
#include <vector>

#include "records/explanation.hpp"
#include "report/document.hpp"

namespace parallax::report {

/// The evidence: the changes with the share of the gap that each closes, where the gap arises,
/// where the time goes, what would make a side faster, the compilers' output for the kernels, its
/// differences, what was ruled out and not tried. Empty sections are left out.
/// @param most_lines  of one difference
std::vector<Section> sections_of(const Explanation&, std::size_t most_lines);

/// `1.64x slower`, `SAME`: of the side that is slower.
std::string heading_of(const Explanation&);
/// The number of explained ones, in one sentence.
std::string tally_of(const std::vector<Explanation>&);
/// Whether some changes close a part of the gap, and none explains it.
bool in_part(const Explanation&);

}  // namespace parallax::report
