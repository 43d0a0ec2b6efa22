// A program run to its end, with what it prints.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace parallax {

struct ProcessResult {
    bool started = false;
    bool in_time = true;   ///< it was not killed for taking too long
    int exit_code = -1;    ///< -1: a signal ended it, or another part of this process took its end
    std::string out, err;  ///< at most `most_output` of each
    bool ok() const { return started && in_time && exit_code == 0; }
};

/// To be called before a process is started whose end is to be known: a parent that ignores SIGCHLD
/// hands that on, and then the system keeps no status.
void keep_child_statuses();

/// Bytes of each output that are kept: the last ones.
inline constexpr std::size_t most_output = std::size_t{64} << 20;

/// Runs `program` with these arguments, no shell between, nothing to read, in a process group of
/// its own that is killed when `limit` is over. `err` says why where it cannot be started.
/// @param program  without a slash it is looked for in PATH
/// @param folder   where it is started; empty: here
ProcessResult run_program(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          std::chrono::milliseconds limit,
                          const std::filesystem::path& folder = {});

}  // namespace parallax
