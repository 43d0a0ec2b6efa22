// Replaces the host's timer in tests.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "common/host_clock.hpp"

namespace parallax {

/// While one lives, the host's timer advances by `step_seconds` at each reading, or else only on
/// demand. All test programs start with one (common/tests/main.cpp), so that a budget is a number
/// of readings. The innermost counts; all share the current time.
class ScriptedClock {
public:
    explicit ScriptedClock(double step_seconds)
        : step_before_(step_.exchange(ticks(step_seconds))), before_(HostClock::read_from(read)) {}
    ~ScriptedClock() {
        step_ = step_before_;
        HostClock::read_from(before_);
    }
    ScriptedClock(const ScriptedClock&) = delete;
    ScriptedClock& operator=(const ScriptedClock&) = delete;

    static void advance(double seconds) { now_ += ticks(seconds); }

private:
    static std::int64_t ticks(double seconds) { return static_cast<std::int64_t>(seconds * 1e9); }
    static HostClock::duration read() {
        const std::int64_t step = step_;
        return HostClock::duration(now_.fetch_add(step) + step);
    }

    static inline std::atomic<std::int64_t> now_{0}, step_{0};
    std::int64_t step_before_;
    HostClock::Source before_;
};

}  // namespace parallax
