// What a captured process did, in a file that it maps: true however the process ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace parallax {

/// A count of commands and the time that the device spent on them. Of some the time is not known.
struct LiveSum {
    std::uint64_t count = 0, timed = 0, bytes = 0;
    double seconds = 0;
};

/// The file beside a process' capture.json, with the ending `.live`, of the machine's own byte
/// order. It stays where the process could not write its last words.
struct LiveCounts {
    static constexpr std::uint64_t right_mark = 0x7061722d6c697631;
    static constexpr std::size_t most = 2000;

    std::uint64_t mark = right_mark;
    std::array<char, 64> process{};  ///< as in capture.json
    std::uint64_t ended = 0;  ///< 1: the process, or the program that it ran, ended by itself
    std::uint64_t launches = 0;
    double seconds = 0, snapshot_seconds = 0;
    LiveSum builds, to_device, from_device, on_device, mapped;
    std::uint64_t used = 0;  ///< of the following, which capture.json names by their places
    std::array<LiveSum, most> sums{};
};

}  // namespace parallax
