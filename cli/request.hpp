// Options of commands that run cases: selection, configuration and recording.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "measure/run_case.hpp"
#include "measure/session.hpp"
#include "records/record.hpp"

namespace parallax::cli {

/// Adds -s, -n, --type, --define, --seed, --budget, --floats, --full, --kernels and the options of
/// add_timing_options().
/// @param budget  the default, for the help page
void add_case_options(po::options_description_easy_init& add, const std::string& budget);

/// Adds --strict: what strict_failure() names counts as a failure.
void add_strict_option(po::options_description_easy_init& add);
/// Says what --strict takes for failures, which summaries do not count as such. @param cases  0:
/// none
void print_strict_failures(std::size_t cases, CommandContext&);

/// Adds --no-wait, for run_config() (CommandContext::waits).
void add_lock_option(po::options_description_easy_init& add);
/// Adds --fresh-ceilings and the options of add_lock_option().
void add_timing_options(po::options_description_easy_init& add);
/// Applies --fresh-ceilings.
void take_timing_options(const Values&, RunConfig&);

/// The request of these options. Without --seed the seed is random.
/// @param budget, full_budget  seconds, where --budget is not given
/// @throws UsageError
Request request_of(const Values&, const CommandContext&, double budget, double full_budget);

/// Whether the case matches the request's picks, sizes and types, if any.
bool stands_for(const Request&, const CaseKey&);

/// A request with only --seed and --budget. @throws UsageError
Request request_within(const Values&, double budget);

/// The rules of --floats, for variants without their own rules. @throws UsageError
FloatChoice floats_of(const Values&);

/// `5%`, `5 %` or `0.05` as a number. @throws UsageError for anything else, below 0, not finite, or
/// from 1 on without the sign, which may mean either
double parse_share(std::string_view option, std::string_view word, std::string_view others = "");

/// The value of --margin, by default 2 %. @throws UsageError unless it is between 0 and 1
double margin_of(const Values&);

/// Now, in UTC. @param form  of fmt: `{:%Y-%m-%dT%H:%M:%SZ}`
std::string utc(const char* form);

/// Information about a run that starts now.
RunInfo run_info(const CommandContext&, std::uint64_t seed);

/// Prints how the sources of these suites were changed before compilation.
void print_notices(const std::vector<CasePick>&, CommandContext&);

/// Lists the launches that a damaged capture folder has lost. @returns their number
std::size_t print_refused(const Suite&, std::ostream& err);

/// Warns of environment variables that affect times on these devices, unless the report does.
void warn_of_environment(const RunInfo&, const std::vector<Entry>&, CommandContext&);

/// The user's file of stored ceilings. @param cache_home, home  XDG_CACHE_HOME and HOME; null or
/// relative: ignored. Empty: there is no place for it
fs::path ceilings_file_in(const char* cache_home, const char* home);

/// The configuration, with kernel sources from `folder` if given. Ends on Ctrl-C.
/// @param own_ceilings  measures the folder's ceiling kernels, without storing the results;
/// otherwise the built-in ones
RunConfig run_config(const CommandContext&, std::uint64_t seed,
                     const std::optional<std::string>& folder, bool own_ceilings = false);

}  // namespace parallax::cli
