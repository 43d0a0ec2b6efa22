// All that is known of one case, as sections: what a reader opens behind its row.
#pragma once

#include <vector>

#include "report/document.hpp"

namespace parallax::report {

/// Both sides, the kernel, the answers, the speeds, the launches; empty sections are left out.
std::vector<Section> parts_of(const CaseDiff&, const Diff&);

/// `float, 1024 x 777, TILE=32, transpose.cl (26e2b36f)`
std::string subtitle_of(const CaseDiff&);

}  // namespace parallax::report
