// Work on all cores of the host: parallel loops, copies, and steps concurrent with the calling
// thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <system_error>
#include <thread>

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

/// Calls `do_chunk` for 0 to `chunks` - 1, on this thread and on helpers that all loops of the
/// process share, also on those that become free meanwhile. There are no more helpers than cores;
/// they are started when they are first needed, also after a fork. The first exception of a chunk
/// is rethrown.
void for_each_chunk(std::size_t chunks, const std::function<void(std::size_t chunk)>& do_chunk);

/// Calls `body(begin, end, chunk)` for disjoint chunks that cover [0, count), as above.
template <class Body>
void for_chunks(std::uint64_t count, Body&& body, std::uint64_t least = 1 << 15) {
    const std::size_t chunks = chunk_count(count, least);
    if (chunks == 1) {
        body(std::uint64_t{0}, count, std::size_t{0});
        return;
    }
    // count * chunk cannot overflow: a chunk is a core, and count fits in memory.
    for_each_chunk(chunks, [&](std::size_t chunk) {
        body(count * chunk / chunks, count * (chunk + 1) / chunks, chunk);
    });
}

/// Runs a step in a thread of its own or, where the system allows no more threads, when its result
/// is asked for. The future's destructor waits for a step that has begun.
template <class Step>
auto beside(const Step& step) {
    try {
        return std::async(std::launch::async, step);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, step);
    }
}

/// memcpy() and memset() on all cores where that is worth it.
void copy_bytes(void* to, const void* from, std::size_t count);
void fill_bytes(void* start, unsigned char value, std::size_t count);

}  // namespace parallax
