// The reports of a sweep: for a terminal and for a page of documents.
#pragma once

#include <string>
#include <vector>

#include "records/json_fwd.hpp"
#include "report/document.hpp"
#include "studies/occupancy/prediction.hpp"
#include "studies/sweep/sweep_result.hpp"
#include "studies/tune/tune.hpp"

namespace parallax {

/// A row for each point: time, its interval, result, share and mark on each device.
report::Grid sweep_grid(const SweepResult&);

/// The table, a bar for each point, and the conclusions that the intervals allow.
report::Document sweep_document(const SweepResult&);

/// docs/reference/reports.md lists its members.
Json to_json(const SweepResult&);
std::string sweep_json(const SweepResult&);
/// docs/reference/reports.md lists its members.
Json to_json(const OccupancyPrediction&);

/// For each device what was found, and a table of the fastest candidates.
report::Document tune_document(const std::vector<TuneResult>&);

/// docs/reference/reports.md lists its members.
std::string tune_json(const std::vector<TuneResult>&);

}  // namespace parallax
