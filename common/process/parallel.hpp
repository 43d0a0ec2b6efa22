// A parallel loop over a range, on all cores of the host.
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

/// Cores that this process may use; a batch system may restrict them. At least 1.
inline unsigned usable_cores() {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) == 0) {
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
    }
    return std::max(1u, std::thread::hardware_concurrency());  // the set is too small
}

/// Number of chunks for a range of `count`: at least `least` elements each, and at most one chunk
/// per core.
inline std::size_t chunk_count(std::uint64_t count, std::uint64_t least = 1 << 15) {
    const std::uint64_t cores = usable_cores();
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(count / least, 1, cores));
}

/// Limits additional threads to the number of cores in the whole process, so that parallel loops in
/// several workers do not multiply.
class ExtraThreads {
public:
    ExtraThreads() = default;
    ~ExtraThreads() { taken_ -= count_; }
    ExtraThreads(const ExtraThreads&) = delete;
    ExtraThreads& operator=(const ExtraThreads&) = delete;

    /// @returns how many of the wanted threads may be started
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
/// ExtraThreads, also on those that become free meanwhile. The first exception of a chunk is
/// rethrown.
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
            // count * chunk cannot overflow: a chunk is a core, and count fits in memory.
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
            // Includes this thread's next chunk and one for each other thread.
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
                // The system allows no more threads: continue with those that exist.
            }
        } while (do_one());
    }
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace parallax
