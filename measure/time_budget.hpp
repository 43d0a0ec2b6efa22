// A budget of seconds, shared among cases that are checked in blocks and timed one after the other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "common/process/watchdog.hpp"
#include "measure/device_lock.hpp"

namespace parallax {

/// What checking takes, and what timing takes beside its batches, is learned on the way.
class TimeBudget {
public:
    /// @param budget_seconds  0: there is none, and nothing asks for it
    explicit TimeBudget(double budget_seconds) : budget_(budget_seconds), until_(budget_seconds) {
        // What earlier processes of the run took is gone.
        if (watched().is_next) clock_ = BudgetClock(watched().begun);
        if (budget_seconds > 0) tell_budget(budget_seconds);
    }

    double elapsed() const { return clock_.elapsed(); }
    double left() const { return budget_ - elapsed(); }

    /// From now on checks may be begun until half of what is left is over: the other half is for
    /// timing what was checked. @param reserved  seconds that are for something else
    void begin_block(double reserved = 0) { until_ = elapsed() + (left() - reserved) / 2; }
    /// Whether a check may be begun. Thread-safe.
    bool may_check() const { return elapsed() < until_; }

    /// The seconds that a check took. @param checks  0.5: it is half of one
    void note_check(double seconds, double checks = 1) {
        checking_ += seconds;
        checks_ += checks;
    }
    /// The seconds that timing a case took beside its batches.
    void note_timing(double beside) {
        beside_ += beside;
        ++timings_;
    }

    /// Seconds for the batches of one case. @param to_do  cases to be timed one after the other,
    /// this one among them; those that are timed beside others count in part
    /// @param unchecked  cases that are still to be checked
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
