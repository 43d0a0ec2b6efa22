// What the pages draw, as JSON: grids, sentences and the numbers of charts.
#pragma once

#include <string>
#include <vector>

#include "records/json_fwd.hpp"
#include "report/document.hpp"
#include "report/report.hpp"

namespace parallax::report {

/// All of the page of a diff but the details of its cases and the kernels' texts.
Json page_data(const Diff&);
/// What the row of each case shows when it is opened.
/// @param files  names of the kernel files whose texts the page shows
Json details_data(const Diff&, const std::vector<KernelTexts>& files);
/// The page of a sweep.
Json sweep_data(const SweepResult&);

}  // namespace parallax::report
