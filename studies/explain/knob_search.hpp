// Which knobs are turned, in which order, and what is concluded of it.
#pragma once

#include "studies/explain/trials.hpp"

namespace parallax {

/// Turns every knob of the slower side; where that does not explain the gap, the best ones on both
/// sides, their combinations, and the knobs of the other side.
void turn_knobs(const Subject&, Trials&);

/// Draws the conclusion, into the subject's explanation. The trial that it names is measured once
/// more, with kernels at another place in every round, and on both sides where that can be: a cause
/// makes the two alike there too.
void conclude_twice(Subject&, Trials&);

}  // namespace parallax
