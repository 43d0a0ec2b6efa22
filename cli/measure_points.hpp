// Measures the points of a sweep as ordinary cases, and stores their records.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/option_table.hpp"
#include "measure/session.hpp"
#include "records/result_set.hpp"
#include "studies/sweep/sweep_points.hpp"

namespace parallax::cli {

/// A measurement of variations of one case.
struct Measured {
    std::string kind;  ///< of the files in results/DEVICE without -o
    Case first;        ///< one of the measured cases
    std::uint64_t seed = 0;
    std::function<Totals(const std::vector<Entry>&, const RunConfig&, const RunInfo&,
                         const Listener&)>
        measure;
    /// Receives all records, also when the measurement ended early.
    std::function<void(const std::vector<Record>&)> show;
};

/// Measures on the devices of -d under supervision, and stores the records according to -o.
/// @returns the exit code
/// @throws UsageError; Interrupted
int measure_and_keep(const Values&, CommandContext&, const Measured&);

/// The records of the file of --from, restricted to the devices of -d.
/// @throws UsageError, also where an option is given that only applies to new measurements
ResultSet kept_records(const Values&, const std::string& file, StoredData);

/// Measures the points on the devices of -d within --budget, and stores the records according to
/// -o, by default in results/DEVICE/sweep-TIME.jsonl.
/// @param show  receives all records, also when the measurement ended early
/// @returns the exit code
/// @throws UsageError when no point is possible; Interrupted
int measure_points(const SweepPoints&, const Values&, CommandContext&,
                   const std::function<void(const std::vector<Record>&)>& show);

/// The points that -n, --type, --define, --over and the case on the command line define.
/// @throws UsageError
SweepRequest sweep_request(const Values&, const CommandContext&);

/// Adds the options that both functions read, except -d and --over.
void add_point_options(boost::program_options::options_description_easy_init& add);

}  // namespace parallax::cli
