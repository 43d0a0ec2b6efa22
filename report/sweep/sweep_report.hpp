// The reports of a sweep: for a terminal and for a page of documents.
#pragma once

#include <string>

#include "studies/sweep/sweep_result.hpp"

namespace parallax {

/// The table value by device, a bar for each point, and what the intervals allow to be said.
/// @param width  columns, at least 60
std::string sweep_text(const SweepResult&, unsigned width);

/// The same for a pull request or a page of documents.
std::string sweep_markdown(const SweepResult&);

}  // namespace parallax
