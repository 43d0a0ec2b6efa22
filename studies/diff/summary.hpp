// One number for all of a diff.
#pragma once

#include "studies/diff/diff.hpp"

namespace parallax {

/// Counts, the geometric mean of the ratios and the performance portability of the cases.
Summary summary_of(const Diff&);

}  // namespace parallax
