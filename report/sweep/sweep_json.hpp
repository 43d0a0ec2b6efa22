// A sweep, and predicted occupancy, as JSON.
#pragma once

#include "records/json_fwd.hpp"
#include "studies/occupancy/prediction.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax {

/// docs/reference/reports.md lists its members.
Json to_json(const SweepResult&);
std::string sweep_json(const SweepResult&);
/// docs/reference/reports.md lists its members.
Json to_json(const OccupancyPrediction&);

}  // namespace parallax
