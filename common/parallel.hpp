// A loop over a range, on all cores of the host.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace parallax {

/// Number of chunks that `for_chunks` cuts a range of `count` into: at least `least` elements each,
/// and no more chunks than the host has cores.
inline std::size_t chunk_count(std::uint64_t count, std::uint64_t least = 1 << 15) {
    const std::uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(count / least, 1, cores));
}

/// Threads beside those that wait for them: as many in the whole process as the host has cores, so
/// that workers that each have a range to go through do not start as many each.
class ExtraThreads {
public:
    /// @param wanted  so many are taken, or as many as are left
    explicit ExtraThreads(std::size_t wanted) {
        const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
        std::size_t taken = taken_;
        do {
            count_ = std::min(wanted, cores - std::min(cores, taken));
        } while (!taken_.compare_exchange_weak(taken, taken + count_));
    }
    ~ExtraThreads() { taken_ -= count_; }
    ExtraThreads(const ExtraThreads&) = delete;
    ExtraThreads& operator=(const ExtraThreads&) = delete;

    std::size_t count() const { return count_; }

private:
    static inline std::atomic<std::size_t> taken_ = 0;
    std::size_t count_ = 0;
};

/// Calls `body(begin, end, chunk)` for disjoint chunks that cover [0, count), on this thread and on
/// others as far as there are ExtraThreads. The first exception thrown by a chunk is thrown again
/// here.
template <class Body>
void for_chunks(std::uint64_t count, Body&& body, std::uint64_t least = 1 << 15) {
    const std::size_t chunks = chunk_count(count, least);
    if (chunks == 1) {
        body(std::uint64_t{0}, count, std::size_t{0});
        return;
    }
    std::vector<std::exception_ptr> errors(chunks);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t chunk = next++; chunk < chunks; chunk = next++) {
            try {
                // count * chunk cannot wrap: a chunk is a core, and count fits in memory.
                body(count * chunk / chunks, count * (chunk + 1) / chunks, chunk);
            } catch (...) {
                errors[chunk] = std::current_exception();
            }
        }
    };
    {
        const ExtraThreads extra(chunks - 1);
        std::vector<std::jthread> threads;
        try {
            while (threads.size() < extra.count()) threads.emplace_back(work);
        } catch (const std::system_error&) {
            // The system gives no more threads: those that are there will do.
        }
        work();
    }
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace parallax
