// `parallax run --processes N`: starts a new process for each run.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "common/process/spawn.hpp"

namespace parallax::cli {

/// The processes to run one after another.
struct Processes {
    unsigned count = 1;
    std::vector<std::string> words;  ///< of each command line, the command first
    /// Shows each output; otherwise that of the last run, and of the first failed one.
    bool show_all = false;
};

/// Runs `context.program` `count` times. Ctrl-C, and a signal to this process alone, is forwarded
/// to the running process. @return 1 where one returned 1 or was killed, else 5 where one did, else
/// 0; 2 at once.
/// @throws Interrupted at the signal, or when one ended by it; Error when none can be started.
int run_processes(const Processes&, CommandContext& context);

/// Its exit code: exit_interrupted for interrupting signals, 1 with a message when it was killed.
/// @param which  the process' name in messages
int code_of(const ExitStatus&, const std::string& which, CommandContext& context);

/// The combined code: 1 if one is 1, else 5 if one is 5, else the larger one.
int worse_code(int a, int b);

/// In a process of `run_processes`: `2 of 5`; elsewhere empty.
std::string which_process();

/// The command line of each process: `words` without --processes, with seed and file added where
/// missing.
std::vector<std::string> words_for_process(const std::vector<std::string>& words,
                                           const std::string& seed, const std::string& file);

}  // namespace parallax::cli
