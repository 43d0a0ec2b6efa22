// Runs all that lessons show: the cases, the kernels broken on purpose, the commands.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/device/devices.hpp"
#include "measure/session.hpp"
#include "studies/lessons/lesson.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax {

/// What a lesson may take, or its share where the budget has more for each.
inline constexpr double seconds_a_lesson = 30;

/// What a walk is told.
struct WalkRequest {
    std::vector<const Lesson*> lessons;
    std::vector<Entry> entries;
    double budget_seconds = 0;  ///< for all lessons, each of which may take seconds_a_lesson
    std::uint64_t seed = 0;
};

/// What the command of a step prints.
struct CommandOutput {
    std::string text;
    bool ok = true;  ///< its exit code was 0
};

/// Helpers and callbacks of a walk.
struct WalkHelp {
    RunConfig config;
    RunInfo run;
    std::function<CommandOutput(const std::vector<std::string>& words)> command;
    std::function<void(const Progress&)> progress;
    std::function<void(const std::string&)> trouble;
    /// Takes each record as it is made; of a broken kernel too.
    std::function<void(const Record&)> keep;
};

/// The outcome of a walk, without its results.
struct WalkTotals {
    std::size_t cases = 0;   ///< that were to be run, on all devices
    std::size_t ok = 0;      ///< that were right and measured
    std::size_t failed = 0;  ///< cases that could not be built or run
    std::size_t wrong = 0;   ///< cases that were wrong or failed though nothing was broken
    std::size_t missed = 0;  ///< broken kernels that no device noticed
    std::size_t failed_commands = 0;
};

/// Ends with what there is, marked as interrupted, when Ctrl-C was pressed.
Walk walk_through(const WalkRequest&, const WalkHelp&, WalkTotals&);

/// The name of the edit that a record of a kernel carries which a step broke on purpose.
std::string name_of_edit(const std::string& lesson, const std::string& step);

}  // namespace parallax
