// Published figures as the grid that a document prints, and the same grid of today's records.
#pragma once

#include <string>
#include <vector>

#include "studies/published/published.hpp"
#include "studies/published/published_records.hpp"

namespace parallax::cli {

/// A table of variants against the values of a constant.
struct GridView {
    std::string title;                            ///< `NVIDIA H100, cuda: overall / kernel only`
    std::vector<std::string> head;                ///< `version`, `GROUP=32`, ...
    std::vector<std::vector<std::string>> lines;  ///< `version 1 (plain)`, `23.3 / 24.2`, ...
};

/// One of the published figures, and one for each device and backend that has any of them.
/// Nothing, not a figure of other circumstances, stands where nothing was measured (`-`).
/// @param records  null: there are none
std::vector<GridView> grids_of(const PublishedGrid&, const TodaysRecords* records);

/// What has to be measured for a whole grid.
std::vector<Circumstances> cells_of(const PublishedGrid&);

}  // namespace parallax::cli
