// The host's clock, for budgets and for what a person waits.
#pragma once

#include <chrono>

namespace parallax {

using HostClock = std::chrono::steady_clock;

/// Seconds from `start` until now.
inline double seconds_since(HostClock::time_point start) {
    return std::chrono::duration<double>(HostClock::now() - start).count();
}

}  // namespace parallax
