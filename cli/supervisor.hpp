// Measuring in a process of its own, which a case may end, or be ended for, while the run goes on.
#pragma once

#include <optional>

#include "cli/command.hpp"
#include "cli/result_writers.hpp"

namespace parallax::cli {

/// Adds --watchdog and --memory.
void add_watch_options(boost::program_options::options_description_easy_init& add);

/// Parts this process in two, before any driver is loaded: one goes on with the command, the other
/// watches it until it has ended. When a case ends the process, or a launch does not end, another
/// process is begun, which takes over what was kept and printed, and in which that case is `failed`
/// with the reason. SIGINT and SIGTERM end all of them within 2 s, and what was measured is shown.
/// @param writers  keeps what is to be taken over; `context.earlier` gets it
/// @returns in the process that watches, at the end: the exit code. In the others at once: nothing;
/// so it does where CommandContext does not ask for it
/// @throws UsageError for an option that cannot be
std::optional<int> supervise(const Values&, ResultWriters& writers, CommandContext&);

/// The same for a command that measures nothing, and keeps nothing: a compiler may end its process.
std::optional<int> supervise_compilers(const Values&, CommandContext&);

/// To be said by a process that measures when all is done but its end.
void note_end(int code);

/// Seconds that one launch may take where --watchdog does not say; never more than the budget,
/// where there is one (0: there is none).
double most_launch_seconds(double budget);

}  // namespace parallax::cli
