// The portability matrix: what runs on each side, next to the gap between their speeds.
#pragma once

#include <string>

#include "report/paint.hpp"
#include "studies/diff/diff.hpp"

namespace parallax::report {

/// A line a case, what matters first; of many cases those that are SAME are folded, a line a suite.
/// Titles that leave no room for the rest stand on a line of their own.
std::string matrix(const Diff&, std::size_t width, const Paint&);

}  // namespace parallax::report
