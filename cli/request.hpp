// What commands that run cases have in common: which cases, with what, recorded how.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "measure/run_case.hpp"
#include "measure/session.hpp"
#include "records/record.hpp"

namespace parallax::cli {

/// Adds -s, -n, --type, --define, --seed, --budget, --floats, --full, --kernels and what
/// add_timing_options() adds.
/// @param budget  the default, for the help page
void add_case_options(boost::program_options::options_description_easy_init& add,
                      const std::string& budget);

/// Adds --strict: what is doubtful or refused is no success.
void add_strict_option(boost::program_options::options_description_easy_init& add);

/// Adds --no-wait, of which run_config() is told (CommandContext::waits).
void add_lock_option(boost::program_options::options_description_easy_init& add);
/// Adds --fresh-ceilings and what add_lock_option() adds.
void add_timing_options(boost::program_options::options_description_easy_init& add);
/// What --fresh-ceilings says.
void take_timing_options(const Values&, RunConfig&);

/// What these options stand for. Without --seed one is drawn.
/// @param budget, full_budget  seconds, where --budget is not given
/// @throws UsageError
Request request_of(const Values&, const CommandContext&, double budget, double full_budget);

/// Whether its picks, sizes and types stand for the case, as far as it has any.
bool stands_for(const Request&, const CaseKey&);

/// One with --seed and --budget alone. @throws UsageError
Request request_within(const Values&, double budget);

/// What --floats says, for all variants that have no rules of their own. @throws UsageError
FloatRules floats_of(const Values&);

/// `5%`, `5 %` or `0.05` as a share. @throws UsageError for anything else, below 0 or not finite
double parse_share(std::string_view option, std::string_view word);

/// That of --margin, 2 % unless told. @throws UsageError unless it lies between 0 and 1
double margin_of(const Values&);

/// Now, in UTC. @param form  of fmt: `{:%Y-%m-%dT%H:%M:%SZ}`
std::string utc(const char* form);

/// The circumstances of a run that starts now.
RunInfo run_info(const CommandContext&, std::uint64_t seed);

/// Prints what was done to the sources of these suites before they are compiled.
void print_notices(const std::vector<CasePick>&, CommandContext&);

/// Says what variables of the environment do to times on these devices, for reports that do not.
void warn_of_environment(const RunInfo&, const std::vector<Entry>&, CommandContext&);

/// The file of a user that keeps ceilings. @param cache_home, home  as XDG_CACHE_HOME and HOME say;
/// null or no whole path: they do not. Empty: there is no place for it
std::filesystem::path ceilings_file_in(const char* cache_home, const char* home);

/// Kernel sources from `folder` where there is one, but for the ceiling's: the yardstick is the
/// program's own. Ends on Ctrl-C.
/// @param own_ceilings  those of the folder are measured, and kept nowhere; else the program's own
RunConfig run_config(const CommandContext&, std::uint64_t seed,
                     const std::optional<std::string>& folder, bool own_ceilings = false);

}  // namespace parallax::cli
