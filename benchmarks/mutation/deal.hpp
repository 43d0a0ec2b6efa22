// Work dealt out to processes that may die of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parallax {

/// Deals places out to `jobs` processes `program WORDS... FILE`: each takes the next one when it is
/// done with its last, by next_place(FILE), and prints a line when it begins with one (`PLACE`) and
/// when it has ended (`PLACE RESULT`). One that dies over a place is started again.
/// @param until  no place is begun from then on, and what was is given up `after` that
/// @return for each place, in the order of `places`, its result: `died: ` and what
/// it said last, where its process did, and nothing where it was not begun, or given up
/// @throws Error with what the process said where one exits with 2, or ends before it has begun
std::vector<std::string> deal(const std::filesystem::path& program,
                              const std::vector<std::string>& words,
                              std::span<const std::size_t> places, unsigned jobs,
                              std::optional<std::chrono::steady_clock::time_point> until = {},
                              std::chrono::milliseconds after = std::chrono::seconds(45));

/// What such a process does: the next place, for it alone. @param file  its last word
std::optional<std::size_t> next_place(int file);

}  // namespace parallax
