// The commands that make the records which are missing.
#pragma once

#include <vector>

#include "studies/published/published_view.hpp"

namespace parallax::cli {

/// For every device that there are records of, the commands for what has none on one of its
/// backends. Sizes of then are for GPUs: other devices are given none, so that one is chosen that
/// suits them.
/// @param as_usual  a record with other constants than the line's and the suite's does not count
std::vector<Missing> missing_of(const std::vector<Circumstances>&, const TodaysRecords&,
                                bool as_usual);

}  // namespace parallax::cli
