// The time profile of a command as a result line.
#pragma once

#include <vector>

#include "common/profile.hpp"
#include "records/record.hpp"

namespace parallax {

/// The profile that `--timing` requests.
struct TimeSpent {
    RunInfo run;
    double wall_seconds = 0;        ///< from the search for devices to the last result
    std::vector<PhaseTime> phases;  ///< Profile::times
};

}  // namespace parallax
