// Measures in a supervised worker process, so that a crash or hang ends one case and not the run.
#pragma once

#include <functional>

#include "cli/command.hpp"
#include "cli/result_writers.hpp"

namespace parallax::cli {

/// Adds --watchdog and --memory.
void add_watch_options(po::options_description_easy_init& add);

/// Runs `measure` in a worker process, which is forked before any driver is loaded. When a case
/// crashes the worker, or a launch hangs, another worker continues with the stored and printed
/// results; that case is `failed` with the reason. SIGINT and SIGTERM give the worker 1 s; then it
/// is killed, and another one has 20 s to report what was measured. A second signal kills the
/// current worker at once; if that one measured, another one still reports. Unless CommandContext
/// asks for a worker, `measure` is called in this process.
/// @param writers  stores what the next worker takes over; `context.earlier` gets it
/// @param measure  finds devices, measures and reports
/// @returns its exit code
/// @throws UsageError for an invalid option; what `measure` throws
int run_supervised(const Values&, ResultWriters& writers, CommandContext&,
                   const std::function<int()>& measure);

/// The same for a command that compiles and stores nothing: a compiler may crash its process.
int run_supervised(const Values&, CommandContext&, const std::function<int()>& compile);

/// Tells the supervisor that only the exit of the worker remains.
void tell_exit_code(int code);

/// Default time limit of one launch in seconds; never more than the budget, if there is one (0:
/// none).
double most_launch_seconds(double budget);

}  // namespace parallax::cli
