// The time profile of a command, as a grid.
#pragma once

#include "records/time_spent.hpp"
#include "report/grid.hpp"

namespace parallax::report {

/// A row a phase, the longest first, with its share of the wall time; behind them what other
/// threads did meanwhile.
Grid time_grid(const TimeSpent&);

}  // namespace parallax::report
