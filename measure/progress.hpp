// How far a run is, and how it ended.
#pragma once

#include <cstddef>
#include <string>

#include "records/record.hpp"

namespace parallax {

/// What a run tells while it goes on.
struct Progress {
    std::size_t done = 0, total = 0;  ///< cases times devices, ceilings among them
    std::string what;                 ///< runs now
    double elapsed_seconds = 0, left_seconds = 0;

    /// What is left, of the budget at most: as long as what is done took, case for case.
    void estimate(double elapsed, double budget);
};

/// How a run ended.
struct Totals {
    std::size_t ok = 0, wrong = 0, unsupported = 0, refused = 0, failed = 0, skipped = 0;
    std::size_t doubtful = 0;      ///< right answers that a person has to look at; not in `ok`
    std::size_t lost_devices = 0;  ///< that could not be opened

    /// @param is_asked_for  one that is not, as a ceiling, counts only where it went wrong
    void add(Status, bool is_asked_for, const Doubts& doubts = {});
};

/// 0, 1, 5 or 6, as the command line documents them.
/// @param strict  what is doubtful, or was refused, is no success
int exit_code(const Totals&, bool strict = false);

}  // namespace parallax
