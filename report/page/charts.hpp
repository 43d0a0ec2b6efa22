// The numbers of the page's charts as JSON, in the units of their axes, with what each point says.
#pragma once

#include "records/json_fwd.hpp"
#include "report/grid.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax::report {

/// Cases that are alike in all but one constant or one extent: curves of both sides' rates.
Json curves_json(const Diff&);
/// A line for each device, and for each value of a second name.
Json curve_json(const SweepResult&);
/// Rates of cases with operations, data and measured ceilings, and what the ceilings allow.
Json roofline_json(const Diff&);
/// Data rates of cases that only move data, and the ceilings of a copy.
Json rates_json(const Diff&);

}  // namespace parallax::report
