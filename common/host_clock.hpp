// The host's clock, for budgets, deadlines and what a person waits.
#pragma once

#include <atomic>
#include <chrono>

namespace parallax {

/// std::chrono::steady_clock, unless a test has put a source of its own in its place: then budgets
/// are counts of work, and no result depends on how fast or busy a machine is. Whatever decides by
/// time reads this clock; what waits for another process does not, for that has a pace of its own.
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

    /// For tests: what is read from now on; null: the steady clock. @return the one before
    static Source read_from(Source source) noexcept { return source_.exchange(source); }

private:
    static inline std::atomic<Source> source_{nullptr};
};

/// Seconds from `start` until now.
inline double seconds_since(HostClock::time_point start) {
    return std::chrono::duration<double>(HostClock::now() - start).count();
}

}  // namespace parallax
