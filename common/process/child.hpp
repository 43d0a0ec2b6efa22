// Runs a program to its end and collects its output.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/types.h>

namespace parallax {

struct ProcessResult {
    bool started = false;
    bool in_time = true;   ///< false: it was killed at the time limit
    int exit_code = -1;    ///< -1: a signal ended it, or its status was collected elsewhere
    std::string out, err;  ///< at most `most_output` of each
    bool ok() const { return started && in_time && exit_code == 0; }
};

/// Waits for the end of a child. @return its status, as of `waitpid`
int wait_for(pid_t process);

/// Must be called before a process is started whose exit status is needed: a parent that ignores
/// SIGCHLD would pass that on, and the system would discard the status.
void keep_child_statuses();

/// In a process that `parent` has just forked: sends it `signal` once `parent` has ended.
void end_with(pid_t parent, int signal = SIGKILL);

/// The same, and leaves the parent's handlers of fatal signals and its core files behind.
void become_helper(pid_t parent);

/// Lowers a soft limit of this process.
void lower_limit(decltype(RLIMIT_AS) which, std::uint64_t value);

/// Limits of each process that a program starts; 0: none.
struct ProgramLimits {
    std::uint64_t memory_bytes = 0;  ///< of addresses
    std::uint64_t file_bytes = 0;    ///< of each file that it writes
};

/// Limits of compilers, since a source can make them use gigabytes. Set before threads start.
inline ProgramLimits& compiler_limits() {
    static ProgramLimits limits{.file_bytes = std::uint64_t{128} << 20};
    return limits;
}

/// Bytes kept of each output, from its end.
inline constexpr std::size_t most_output = std::size_t{64} << 20;

/// Runs `program` without a shell and without input, in its own process group, which is killed
/// after `limit`, and as soon as this process has ended. `err` has the reason where it cannot be
/// started.
/// @param program  searched for in PATH unless it has a slash
/// @param folder   working directory; empty: unchanged
ProcessResult run_program(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          std::chrono::milliseconds limit, const std::filesystem::path& folder = {},
                          ProgramLimits limits = {});

}  // namespace parallax
