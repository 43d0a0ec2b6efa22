// Applies constants that `parallax tune` stored, for commands with --tuned.
#pragma once

#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "measure/session.hpp"
#include "studies/tune/tuned_cases.hpp"

namespace parallax::cli {

/// The user's file of constants, next to that of the ceilings; empty: there is no place for it.
fs::path tuned_file(const CommandContext&);

/// Adds --tuned and --tuned-from.
void add_tuned_options(po::options_description_easy_init& add);

/// Stored constants of a running command; empty where neither option was given.
class Tuning {
public:
    /// Reads the file, and reports its invalid lines.
    /// @throws UsageError when it cannot be read, or no file is known
    Tuning(const Values&, CommandContext&);

    /// For Request::tuned; empty where there are none.
    std::function<Case(const Case&, const DeviceInfo&)> hook();
    /// Reports on standard error which cases use which constants, unless --quiet.
    void say() const;

private:
    CommandContext& context_;
    bool quiet_;
    std::unique_ptr<TunedCases> cases_;
};

}  // namespace parallax::cli
