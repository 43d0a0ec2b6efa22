// Implements `--timing`: profiles a command, prints the profile and stores it.
#pragma once

#include "cli/command.hpp"
#include "cli/result_writers.hpp"
#include "common/profile.hpp"

namespace parallax::cli {

/// Adds the option.
void add_timing_option(po::options_description_easy_init& add);

/// Profiles the calling thread from its construction on, if `--timing` was given.
class TimeKeeper {
public:
    explicit TimeKeeper(const Values&);

    /// For threads that work for the command; null without `--timing`.
    Profile* profile() { return wanted_ ? &profile_ : nullptr; }

    /// Prints the table on standard error, and stores it as a line of the command's results. Does
    /// nothing without `--timing`.
    void finish(const RunInfo&, ResultWriters&, const std::string& device_name, CommandContext&);

private:
    bool wanted_;
    Profile profile_;
    Profiled profiled_;
    HostClock::time_point start_;
};

}  // namespace parallax::cli
