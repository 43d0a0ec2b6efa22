// Divides a time budget among cases that are verified in blocks and timed one after the other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "common/process/watchdog.hpp"
#include "measure/device_lock.hpp"

namespace parallax {

/// The cost of verification, and of timing besides its batches, is learned on the way.
class TimeBudget {
public:
    /// @param budget_seconds  0: there is none, and it is never queried
    explicit TimeBudget(double budget_seconds) : budget_(budget_seconds), until_(budget_seconds) {
        // The time of earlier workers of the run is used up.
        if (supervision().continues_run) clock_ = BudgetClock(supervision().begun);
        if (budget_seconds > 0) tell_budget(budget_seconds);
    }

    double elapsed() const { return clock_.elapsed(); }
    double left() const { return budget_ - elapsed(); }

    /// Verifications may start until half of the remaining time is over: the other half is for
    /// timing. @param reserved  seconds for other work
    void begin_block(double reserved = 0) { until_ = elapsed() + (left() - reserved) / 2; }
    /// Whether a verification may start. Thread-safe.
    bool may_check() const { return elapsed() < until_; }

    /// Adds the seconds of a verification. @param checks  0.5: it is half of one
    void note_check(double seconds, double checks = 1) {
        checking_ += seconds;
        checks_ += checks;
    }
    /// Adds the seconds that timing a case took in addition to its batches.
    void note_timing(double beside) {
        beside_ += beside;
        ++timings_;
    }

    /// Seconds for the batches of one case. @param to_do  cases that are timed one after the other,
    /// including this one; concurrently timed ones count in part
    /// @param unchecked  cases that are still to be verified
    double for_one(double to_do, std::size_t unchecked) const {
        const double check = checks_ > 0 ? checking_ / checks_ : 0;
        const double beside = timings_ > 0 ? beside_ / static_cast<double>(timings_) : 0;
        return (left() - check * static_cast<double>(unchecked)) / std::max(1.0, to_do) - beside;
    }

private:
    BudgetClock clock_;
    double budget_;
    std::atomic<double> until_;
    double checking_ = 0, checks_ = 0, beside_ = 0;
    std::size_t timings_ = 0;
};

}  // namespace parallax
