// The numbers for all of a diff.
#pragma once

#include "studies/diff/diff.hpp"

namespace parallax {

/// Whether a side passed the checks, and a person has to look at it all the same.
bool is_doubtful(const Side&);
/// Whether either side is.
bool is_doubtful(const CaseDiff&);
/// As strict_failure(const Record&), of the side that it names first.
std::string_view strict_failure(const CaseDiff&);

/// Counts, and the medians of the ratios.
Summary summary_of(const Diff&);

}  // namespace parallax
