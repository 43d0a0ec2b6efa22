// The time of one use of a case by stages, from its source to its answer.
#pragma once

#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "common/device/devices.hpp"
#include "measure/run_case.hpp"
#include "records/explanation.hpp"

namespace parallax {

/// Build times of all kernels of a case, each in a process of its own, in seconds.
struct BuildTimes {
    std::optional<double> cold;  ///< with empty caches of compiled code
    std::optional<double> warm;  ///< in the next process, with what the first left there
    std::string note;            ///< the caches by their names, or why something is missing
    /// Machine code from the cache, where the API returns none; empty: none was found.
    std::string machine_code = {};
};

/// One of the two sides.
struct StageSide {
    Entry entry;               ///< to open the device once more
    Device* device = nullptr;  ///< open
    Program program;
    Codes codes;  ///< built from `program` on `device`; their answers were found right
    Plan plan;    ///< of the case there; both sides have the same buffers
};

/// Options of the measurement of stages.
struct StageRequest {
    Both<StageSide> sides;
    Case the_case;
    const RunConfig* config = nullptr;
    /// Called some times for each entry, by two threads at once where there are many cores; the
    /// last turn's note is kept. None: the two are missing.
    std::function<BuildTimes(const Entry&, bool is_b)> build_times = {};
    /// Called when all builds are made, before something is timed: waits for other processes.
    std::function<void()> before_timing = {};
    double most_seconds = 6;  ///< for all of it, but each stage is measured once at least
    /// Seconds of the host's timer; none: HostClock.
    std::function<double()> now = {};
};

/// The launch policy for measurements in processes of their own: concurrent where there are enough
/// cores.
std::launch side_by_side(const RunConfig&);

/// All stages in the order of one use. A part that a side has not got, or that failed, has no
/// seconds, and a note that says why. @throws Interrupted, and what the case's inputs throw
std::vector<Stage> measure_stages(const StageRequest&);

}  // namespace parallax
