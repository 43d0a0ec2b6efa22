// Measuring in a process of its own, which a case may end, or be ended for, while the run goes on.
#pragma once

#include <functional>

#include "cli/command.hpp"
#include "cli/result_writers.hpp"

namespace parallax::cli {

/// Adds --watchdog and --memory.
void add_watch_options(boost::program_options::options_description_easy_init& add);

/// Measures in a child process, which is started before any driver is loaded, and watches it. When a
/// case ends the child, or a launch does not end, another child takes over what was kept and
/// printed; in it that case is `failed` with the reason. SIGINT and SIGTERM end the child after what
/// it has measured is shown; 20 s later it is killed. Where CommandContext asks for no child,
/// `measure` is called in this process.
/// @param writers  keeps what the next child takes over; `context.earlier` gets it
/// @param measure  looks for devices, measures and reports
/// @returns its exit code
/// @throws UsageError for an option that cannot be; what `measure` throws
int run_supervised(const Values&, ResultWriters& writers, CommandContext&,
                   const std::function<int()>& measure);

/// The same for a command that measures and keeps nothing: a compiler may end its process.
int run_supervised(const Values&, CommandContext&, const std::function<int()>& compile);

/// To be said by a process that measures when all is done but its end.
void note_end(int code);

/// Seconds that one launch may take where --watchdog does not say; never more than the budget,
/// where there is one (0: there is none).
double most_launch_seconds(double budget);

}  // namespace parallax::cli
