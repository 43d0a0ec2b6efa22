// Tracks the progress of a run, and its totals.
#pragma once

#include <cstddef>
#include <string>

#include "records/record.hpp"

namespace parallax {

/// Progress of a run.
struct Progress {
    std::size_t done = 0, total = 0;  ///< cases times devices, ceilings among them
    std::string what;                 ///< the current case
    double elapsed_seconds = 0, left_seconds = 0;

    /// Estimates the remaining time from the average per case, at most the budget.
    void estimate(double elapsed, double budget);
};

/// Totals of a finished run.
struct Totals {
    std::size_t ok = 0, wrong = 0, unsupported = 0, refused = 0, failed = 0, skipped = 0;
    std::size_t doubtful = 0;      ///< right results that need a review; not in `ok`
    std::size_t not_strict = 0;    ///< those that strict_failure() names
    std::size_t lost_devices = 0;  ///< devices that could not be opened

    /// @param is_asked_for  one that is not, as a ceiling, counts only where it went wrong
    void add(const Record&, bool is_asked_for);
};

/// 0, 1, 5 or 6, as documented for the command line.
/// @param strict  what strict_failure() names counts as a failure
int exit_code(const Totals&, bool strict = false);

}  // namespace parallax
