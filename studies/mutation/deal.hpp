// Distributes work to processes that may crash.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parallax {

/// Distributes places to `jobs` processes `program WORDS... FILE`: each takes its next one by
/// next_place(FILE), and prints a line at its start (`PLACE`) and its end (`PLACE RESULT`). One
/// that dies at a place is restarted. What it did before may have killed it: unless it ended with
/// `exit_late` or at its first place, the place is tried once more in a process of its own.
/// @param until  no place is started after that; running ones are given up `after` that
/// @param is_stopped  asked often from another thread: true has the effect of `until`
/// @return for each place, in the order of `places`, its result: `died: ` with the last output if
/// its process died, and nothing where it was not started, or given up
/// @throws Error with the output of a process that exits with 2, or ends before its first place
std::vector<std::string> deal(const std::filesystem::path& program,
                              const std::vector<std::string>& words,
                              std::span<const std::size_t> places, unsigned jobs,
                              std::optional<std::chrono::steady_clock::time_point> until = {},
                              std::chrono::milliseconds after = std::chrono::seconds(45),
                              const std::function<bool()>& is_stopped = {});

/// The exit code of a process that took too long at its place.
inline constexpr int exit_late = 124;

/// Takes the next place, for this process alone. @param file  its last argument
std::optional<std::size_t> next_place(int file);

}  // namespace parallax
