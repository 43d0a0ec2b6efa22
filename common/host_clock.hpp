// The host's timer for time budgets, deadlines and progress displays.
#pragma once

#include <atomic>
#include <chrono>

namespace parallax {

/// `std::chrono::steady_clock` unless a test replaces it: budgets then count work, and results do
/// not depend on the speed of the machine. All decisions by time use it, except waits for other
/// processes.
class HostClock {
public:
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<HostClock>;
    static constexpr bool is_steady = true;
    using Source = duration (*)();

    static time_point now() noexcept {
        if (const Source source = source_.load(std::memory_order_relaxed)) {
            return time_point(source());
        }
        return time_point(std::chrono::steady_clock::now().time_since_epoch());
    }

    /// For tests: the new source; null: `steady_clock`. @return the previous source
    static Source read_from(Source source) noexcept { return source_.exchange(source); }

private:
    static inline std::atomic<Source> source_{nullptr};
};

/// Seconds from `start` until now.
inline double seconds_since(HostClock::time_point start) {
    return std::chrono::duration<double>(HostClock::now() - start).count();
}

}  // namespace parallax
