// A loop over a range, on all cores of the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace parallax {

/// Number of chunks that `for_chunks` cuts a range of `count` into: at least `least` elements each,
/// and no more chunks than the host has cores.
inline std::size_t chunk_count(std::uint64_t count, std::uint64_t least = 1 << 15) {
    const std::uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(count / least, 1, cores));
}

/// Calls `body(begin, end, chunk)` for disjoint chunks that cover [0, count), each on a thread of
/// its own. The first exception thrown by a chunk is thrown again here.
template <class Body>
void for_chunks(std::uint64_t count, Body&& body, std::uint64_t least = 1 << 15) {
    const std::size_t chunks = chunk_count(count, least);
    if (chunks == 1) {
        body(std::uint64_t{0}, count, std::size_t{0});
        return;
    }
    std::vector<std::exception_ptr> errors(chunks);
    {
        std::vector<std::jthread> threads;
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
            threads.emplace_back([&, chunk] {
                try {
                    // count * chunk cannot wrap: a chunk is a core, and count fits in memory.
                    body(count * chunk / chunks, count * (chunk + 1) / chunks, chunk);
                } catch (...) {
                    errors[chunk] = std::current_exception();
                }
            });
        }
    }
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace parallax
