// `parallax run --processes N`: the program started anew for each run.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "common/process/spawn.hpp"

namespace parallax::cli {

/// What to start, one after another.
struct Processes {
    unsigned count = 1;
    std::vector<std::string> words;  ///< of each one's command line, the command's name first
    /// What each prints is shown; otherwise that of the last, and of the first that was not right.
    bool show_all = false;
};

/// Starts `context.program` so often. Ctrl-C, and a signal sent to this process alone, reaches the
/// one that runs. @return 1 where one ended so or was killed, else 5 where one did, else 0; 2 at
/// once.
/// @throws Interrupted at the signal, or when one ended by it; Error when none can be started.
int run_processes(const Processes&, CommandContext& context);

/// Its exit code: that of an interrupted one for the signals that interrupt, 1 when it was killed,
/// which is said. @param which  what messages call the process
int code_of(const ExitStatus&, const std::string& which, CommandContext& context);

/// The code of two together: 1 where one is, else 5, else the larger.
int worse_code(int a, int b);

/// In a process that `run_processes` started: `2 of 5`; elsewhere empty.
std::string which_process();

/// The words without these options, each of which has a value: behind it, after a `=` or, of a
/// short one, joined.
std::vector<std::string> without_options(const std::vector<std::string>& words,
                                         const std::vector<std::string>& options);

/// The command line of each process: `words` without --processes, with seed and file where they do
/// not name them.
std::vector<std::string> words_for_process(const std::vector<std::string>& words,
                                           const std::string& seed, const std::string& file);

}  // namespace parallax::cli
