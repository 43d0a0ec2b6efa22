// Runs the points of a sweep as ordinary cases, and keeps their records.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "measure/session.hpp"
#include "records/result_set.hpp"
#include "studies/sweep/sweep_points.hpp"

namespace parallax::cli {

/// What is measured and kept: one case, again and again.
struct Measured {
    std::string kind;  ///< of the files in results/DEVICE where -o names none
    Case first;        ///< one of what is measured
    std::uint64_t seed = 0;
    std::function<Totals(const std::vector<Entry>&, const RunConfig&, const RunInfo&,
                         const Listener&)>
        measure;
    /// Gets all that was recorded, also when it ended early.
    std::function<void(const std::vector<Record>&)> show;
};

/// Measures on the devices of -d, supervised, and keeps the records where -o says.
/// @returns the exit code
/// @throws UsageError; Interrupted
int measure_and_keep(const Values&, CommandContext&, const Measured&);

/// The records of the file that --from names, of the devices that -d leaves.
/// @param refused  options that are for what is measured now
/// @throws UsageError
ResultSet kept_records(const Values&, const std::string& file,
                       const std::vector<const char*>& refused);

/// Runs the points on the devices of -d within --budget, and keeps the records where -o says or in
/// results/DEVICE/sweep-TIME.jsonl.
/// @param show  called with all that was recorded, also when it ended early
/// @returns the exit code
/// @throws UsageError when no point can be; Interrupted
int measure_points(const SweepPoints&, const Values&, CommandContext&,
                   const std::function<void(const std::vector<Record>&)>& show);

/// The request for points that -n, --type, --define, --over and the case on the command line make.
/// @throws UsageError
SweepRequest sweep_request(const Values&, const CommandContext&);

/// Adds the options that both of these read, but for -d and --over.
void add_point_options(boost::program_options::options_description_easy_init& add);

}  // namespace parallax::cli
