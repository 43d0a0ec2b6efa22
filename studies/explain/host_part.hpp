// Whether a gap is in the kernels, or in queues, memory, transfers and launches.
#pragma once

#include <vector>

#include "studies/explain/explain_context.hpp"

namespace parallax {

/// Both sides with all steps in one queue and all buffers in the device's memory: what is left of
/// the gap is of the kernels. Cases of that kind already are compared with an empty launch, where
/// they take little longer. Needs the gap and the stages.
/// @returns the share of both parts, the larger first; none: the case has but one part, or could
/// not be taken apart
std::vector<OriginStep> parts_of_host(ExplainContext&);

/// From this share on, such a part is the origin of the gap.
inline constexpr double host_share = 0.5;
/// The name of the step that has what is not in the kernels.
inline constexpr const char* host_step = "queues, memory and launches";

/// The share of what is not in the kernels; 0: it is not known.
double share_of_host(const std::vector<OriginStep>&);

}  // namespace parallax
