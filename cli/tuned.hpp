// Constants that `parallax tune` kept, for commands that run cases with --tuned.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "measure/session.hpp"
#include "studies/tune/tuned_cases.hpp"

namespace parallax::cli {

/// The user's file of them, beside that of the ceilings; empty: there is no place for it.
std::filesystem::path tuned_file(const CommandContext&);

/// Adds --tuned and --tuned-from.
void add_tuned_options(boost::program_options::options_description_easy_init& add);

/// Kept constants while a command runs; nothing where neither option was given.
class Tuning {
public:
    /// Reads the file, and says which of its lines are none.
    /// @throws UsageError when it cannot be read, or nobody says which it is
    Tuning(const Values&, CommandContext&);

    /// For Request::tuned; empty where there is nothing.
    std::function<Case(const Case&, const DeviceInfo&)> hook();
    /// Says on standard error which cases got which constants; but for --quiet.
    void say() const;

private:
    CommandContext& context_;
    bool quiet_;
    std::unique_ptr<TunedCases> cases_;
};

}  // namespace parallax::cli
