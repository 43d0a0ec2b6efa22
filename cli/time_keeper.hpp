// What `--timing` does: measures where a command's time goes, prints it and keeps it.
#pragma once

#include "cli/command.hpp"
#include "cli/result_writers.hpp"
#include "common/profile.hpp"

namespace parallax::cli {

/// The option's name and help.
void add_timing_option(boost::program_options::options_description_easy_init& add);

/// Measures the calling thread from its construction on, where `--timing` was given.
class TimeKeeper {
public:
    explicit TimeKeeper(const Values&);

    /// For threads that work for the command; null without `--timing`.
    Profile* profile() { return wanted_ ? &profile_ : nullptr; }

    /// Prints the table on standard error, and keeps it as a line beside the command's results.
    /// Does nothing without `--timing`.
    void finish(const RunInfo&, ResultWriters&, const std::string& device_name, CommandContext&);

private:
    bool wanted_;
    Profile profile_;
    Profiled profiled_;
    HostClock::time_point start_;
};

}  // namespace parallax::cli
