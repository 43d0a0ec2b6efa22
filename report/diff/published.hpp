// Published figures that belong to the cases of a diff.
#pragma once

#include <string>
#include <vector>

#include "studies/diff/diff.hpp"

namespace parallax::report {

/// Sentences, one for each suite, device and document; empty: nothing was published of any case.
std::vector<std::string> published_figures(const Diff&);

}  // namespace parallax::report
