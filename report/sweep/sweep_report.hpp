// The reports of a sweep: for a terminal and for a page of documents.
#pragma once

#include <string>

#include "report/grid.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax {

/// A row for each point: time, its interval, figure, share and mark on each device.
report::Grid sweep_grid(const SweepResult&);

/// The table value by device, a bar for each point, and what the intervals allow to be said.
/// @param width  columns, at least 60
std::string sweep_text(const SweepResult&, unsigned width);

/// The same for a pull request or a page of documents.
std::string sweep_markdown(const SweepResult&);

}  // namespace parallax
