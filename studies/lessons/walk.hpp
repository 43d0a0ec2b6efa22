// What a walk through lessons found: the figures, and what verification said of broken kernels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// A device that was walked on.
struct WalkDevice {
    std::string id;  ///< `opencl:0`
    std::string name, backend;
    bool is_gpu = false;
    unsigned physical = 0;  ///< equal for entries that are the same physical device
};

/// The reason of a kernel that was broken on purpose, and passed every check all the same.
inline constexpr std::string_view passed_all_the_same =
    "Every check was passed; a broken kernel is not measured.";

/// What came of a broken kernel on one device.
struct BrokenRun {
    std::string device;  ///< its id
    std::string status;  ///< of the case, as in records: `wrong` when verification caught it
    std::string said;    ///< what was wrong, or why it did not run
};

/// What verification said, from the record of a kernel that was broken on purpose.
BrokenRun broken_run(const Record&);

/// One value of `over`, or all of a step without it.
struct WalkedPoint {
    std::string label;            ///< `STRIDE=2`; empty: the only one
    std::vector<Record> records;  ///< at most one a device
};

/// One step, or the solution of one exercise.
struct WalkedStep {
    std::string name;     ///< of an exercise its title
    std::string type;     ///< of a run: of its elements
    Constants constants;  ///< of a run, but for `over`
    std::vector<WalkedPoint> points;
    std::vector<BrokenRun> broken;
    std::string output;  ///< of a command
};

/// One lesson.
struct WalkedLesson {
    std::string name;
    std::vector<WalkedStep> steps, exercises;

    /// Null: this walk has no step of that name.
    const WalkedStep* step(std::string_view word) const;
    const WalkedStep* exercise(std::string_view title) const;
};

/// All of a walk.
struct Walk {
    std::string program;        ///< its version
    std::string started;        ///< UTC
    bool from_records = false;  ///< put together from records, the newest of them of `started`
    bool interrupted = false;   ///< before its end: what is missing was not run
    std::vector<WalkDevice> devices;
    std::vector<WalkedLesson> lessons;

    bool any_cpu() const;
    bool only_cpus() const;
};

}  // namespace parallax
