// Where the wall time of a command went.
#pragma once

#include <vector>

#include "common/profile.hpp"
#include "records/record.hpp"

namespace parallax {

/// What a command that was asked for it (`--timing`) says of its own time.
struct TimeSpent {
    RunInfo run;
    double wall_seconds = 0;        ///< from its first look for devices to its last figure
    std::vector<PhaseTime> phases;  ///< Profile::times
};

}  // namespace parallax
