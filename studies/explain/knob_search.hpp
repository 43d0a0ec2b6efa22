// Which knobs are tried, in which order, and the conclusions.
#pragma once

#include <functional>

#include "studies/explain/trials.hpp"

namespace parallax {

/// Turns the knobs of the slower side, until one explains the gap at no cost and a closer
/// look confirms it, or all of them where the request says so. Where none does, the best ones on
/// both sides, their combinations, and the knobs of the other side.
/// @param before_rest  other experiments, made where no knob of the slower side explains the gap
/// @returns whether the conclusion was drawn on the way
bool turn_knobs(ExplainContext&, Trials&, const std::function<void()>& before_rest);

/// Draws the conclusion, into the subject's explanation. The trial that it names is measured once
/// more, with kernels at another place in every round, and on both sides where that can be: a cause
/// makes the two alike there too.
void conclude_twice(ExplainContext&, Trials&);

/// Adds to the conclusion what makes one side faster and is not the cause: changes that give no
/// exactness up, passed verification, and are measured once more.
void add_gains(ExplainContext&, Trials&);

}  // namespace parallax
