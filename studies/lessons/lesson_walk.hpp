// Runs all that lessons show: the cases, the kernels broken on purpose, the commands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "common/devices.hpp"
#include "studies/lessons/lesson.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax::cli {

/// What a walk is told.
struct WalkRequest {
    std::vector<const Lesson*> lessons;
    std::vector<Entry> entries;
    double budget_seconds = 0;  ///< for the cases of each lesson
    std::uint64_t seed = 0;
    bool quiet = false;  ///< no progress
};

/// How it went, beside what it found.
struct WalkTotals {
    std::size_t cases = 0;   ///< that were to be run, on all devices
    std::size_t ok = 0;      ///< that were right and measured
    std::size_t wrong = 0;   ///< cases that were wrong or failed though nothing was broken
    std::size_t missed = 0;  ///< broken kernels that no device noticed
    std::size_t failed_commands = 0;
};

/// Ends with what there is, marked as interrupted, when Ctrl-C was pressed.
Walk walk_through(const WalkRequest&, World&, WalkTotals&);

}  // namespace parallax::cli
