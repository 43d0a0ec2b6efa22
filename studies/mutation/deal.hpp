// Distributes work to processes that may crash.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/devices.hpp"

namespace parallax {

/// Distributes places to `jobs` processes `program WORDS... FILE`: each takes its next one from
/// FILE, as work_off() does, and prints a line at its start (`PLACE`) and its end (`PLACE RESULT`).
/// One that dies at a place is restarted. What it did before may have killed it: unless it ended
/// with `exit_late` or at its first place, the place is tried once more in a process of its own.
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

/// Gives each of `jobs` processes its share of the cores.
void share_cores(unsigned jobs);

/// Whether the result is that of a process that limit_time() ended.
bool is_late(std::string_view result);

/// Limits one build or launch from now on, which may never end, or wait for a device: the process
/// is ended with `exit_late` after `seconds` of processor time, or five times that in wall-clock
/// time.
void limit_time(long seconds);
inline constexpr int exit_late = 124;

/// A process of deal(): takes one place after the other, each with its limit_time().
/// @param file  its last argument
/// @returns the exit code: 1 if the device must not be used any more
int work_off(int file, long seconds, const std::function<std::string(std::size_t)>& result_of);

/// The device, with only the named backend loaded: CUDA's driver occupies addresses that host:1's
/// sanitizers need, which then end the process.
/// @param word  its id: `cuda:0`
Entry entry_alone(std::span<const std::unique_ptr<Backend>>, std::string_view word);

}  // namespace parallax
