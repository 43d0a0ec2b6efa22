// Runs a program to its end and collects its output.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace parallax {

struct ProcessResult {
    bool started = false;
    bool in_time = true;   ///< false: it was killed at the time limit
    int exit_code = -1;    ///< -1: a signal ended it, or its status was collected elsewhere
    std::string out, err;  ///< at most `most_output` of each
    bool ok() const { return started && in_time && exit_code == 0; }
};

/// Must be called before a process is started whose exit status is needed: a parent that ignores
/// SIGCHLD would pass that on, and the system would discard the status.
void keep_child_statuses();

/// Bytes kept of each output, from its end.
inline constexpr std::size_t most_output = std::size_t{64} << 20;

/// Runs `program` without a shell and without input, in its own process group, which is killed
/// after `limit`. `err` has the reason where it cannot be started.
/// @param program  searched for in PATH unless it has a slash
/// @param folder   working directory; empty: unchanged
ProcessResult run_program(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          std::chrono::milliseconds limit,
                          const std::filesystem::path& folder = {});

}  // namespace parallax
