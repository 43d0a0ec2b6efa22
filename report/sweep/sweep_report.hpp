// The reports of a sweep: for a terminal and for a page of documents.
#pragma once

#include "records/json_fwd.hpp"
#include "report/document.hpp"
#include "studies/occupancy/prediction.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax {

/// A row for each point: time, its interval, figure, share and mark on each device.
report::Grid sweep_grid(const SweepResult&);

/// The table, a bar for each point, and what the intervals allow to be said.
report::Document sweep_document(const SweepResult&);

/// docs/reference/reports.md lists its members.
Json to_json(const SweepResult&);
std::string sweep_json(const SweepResult&);
/// docs/reference/reports.md lists its members.
Json to_json(const OccupancyPrediction&);

}  // namespace parallax
