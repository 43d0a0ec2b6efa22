// Predicted occupancy beside measured speed, for each value of a constant.
#pragma once

#include <string>
#include <vector>

#include "studies/sweep/sweep_result.hpp"

namespace parallax::cli {

/// For each device a row of each point and kernel: what is predicted, what the API says, how fast.
std::string occupancy_sweep_text(const SweepResult&, const std::vector<Record>&, unsigned width);
Json occupancy_sweep_json(const SweepResult&, const std::vector<Record>&);

}  // namespace parallax::cli
