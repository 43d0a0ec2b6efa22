// Counters of a captured process in a memory-mapped file, which survive a crash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace parallax {

/// A number of commands and their device time. The time of some is not known.
struct LiveSum {
    std::uint64_t count = 0, timed = 0, bytes = 0;
    double seconds = 0;
};

/// The file next to a process' capture.json, with the extension `.live`, in native byte order. It
/// remains where the process could not write its final results.
struct LiveCounts {
    static constexpr std::uint64_t right_mark = 0x7061722d6c697631;
    static constexpr std::size_t most = 2000;

    std::uint64_t mark = right_mark;
    std::array<char, 64> process{};  ///< as in capture.json
    std::uint64_t ended = 0;         ///< 1: the process, or one that exec replaced, ended by itself
    std::uint64_t launches = 0;
    double seconds = 0, snapshot_seconds = 0;
    LiveSum builds, to_device, from_device, on_device, mapped;
    std::uint64_t used = 0;  ///< in use; capture.json has their indices
    std::array<LiveSum, most> sums{};
};

}  // namespace parallax
