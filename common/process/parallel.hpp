// A loop over a range, on all cores of the host.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>

namespace parallax {

/// Cores that this process may use: a batch system gives it some of the host's. At least 1.
inline unsigned usable_cores() {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) == 0) {
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
    }
    return std::max(1u, std::thread::hardware_concurrency());  // more than the set has room for
}

/// Number of chunks that `for_chunks` cuts a range of `count` into: at least `least` elements each,
/// and no more chunks than there are cores.
inline std::size_t chunk_count(std::uint64_t count, std::uint64_t least = 1 << 15) {
    const std::uint64_t cores = usable_cores();
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(count / least, 1, cores));
}

/// Threads beside those that wait for them: as many in the whole process as there are cores, so
/// that workers that each have a range to go through do not start as many each.
class ExtraThreads {
public:
    ExtraThreads() = default;
    ~ExtraThreads() { taken_ -= count_; }
    ExtraThreads(const ExtraThreads&) = delete;
    ExtraThreads& operator=(const ExtraThreads&) = delete;

    /// @returns how many more there may be, of those that are wanted
    std::size_t take(std::size_t wanted) {
        const std::size_t cores = usable_cores();
        std::size_t taken = taken_, more = 0;
        do {
            more = std::min(wanted, cores - std::min(cores, taken));
        } while (!taken_.compare_exchange_weak(taken, taken + more));
        count_ += more;
        return more;
    }

private:
    static inline std::atomic<std::size_t> taken_ = 0;
    std::size_t count_ = 0;
};

/// Calls `body(begin, end, chunk)` for disjoint chunks that cover [0, count), on this thread and on
/// others as far as there are ExtraThreads: what others give back while it lasts is taken, too. The
/// first exception thrown by a chunk is thrown again here.
template <class Body>
void for_chunks(std::uint64_t count, Body&& body, std::uint64_t least = 1 << 15) {
    const std::size_t chunks = chunk_count(count, least);
    if (chunks == 1) {
        body(std::uint64_t{0}, count, std::size_t{0});
        return;
    }
    std::vector<std::exception_ptr> errors(chunks);
    std::atomic<std::size_t> next = 0;
    const auto do_one = [&] {
        const std::size_t chunk = next++;
        if (chunk >= chunks) return false;
        try {
            // count * chunk cannot wrap: a chunk is a core, and count fits in memory.
            body(count * chunk / chunks, count * (chunk + 1) / chunks, chunk);
        } catch (...) {
            errors[chunk] = std::current_exception();
        }
        return true;
    };
    {
        ExtraThreads extra;
        std::vector<std::jthread> threads;
        do {
            // This thread's own next chunk is begun, too, and each other thread has one to come.
            const std::size_t begun = next + 1 + threads.size();
            const std::size_t more = extra.take(chunks - std::min(chunks, begun));
            try {
                for (std::size_t i = 0; i < more; ++i) {
                    threads.emplace_back([&] {
                        while (do_one()) {
                        }
                    });
                }
            } catch (const std::system_error&) {
                // The system gives no more threads: those that are there will do.
            }
        } while (do_one());
    }
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace parallax
