// The time profile of a command, as a grid.
#pragma once

#include "records/time_spent.hpp"
#include "report/grid.hpp"

namespace parallax::report {

/// One row per phase, the longest first, with its share of the wall-clock time, followed by the
/// concurrent work of other threads.
Grid time_grid(const TimeSpent&);

}  // namespace parallax::report
