// The numbers for all of a diff.
#pragma once

#include "studies/diff/diff.hpp"

namespace parallax {

/// Whether an answer of a side is right, and a person has to look at it all the same.
bool is_doubtful(const CaseDiff&);

/// Counts, and the medians of the ratios.
Summary summary_of(const Diff&);

}  // namespace parallax
