// Knobs that change a kernel's OpenCL C, and with it the source of both sides. The list of all
// knobs gives the purpose of each.
#pragma once

#include <vector>

#include "studies/explain/knobs.hpp"

namespace parallax::text_knobs {

using Changes = std::vector<KnobChange>;

Changes alignment(const KnobSite&);
Changes doubles(const KnobSite&);
Changes volatility(const KnobSite&);
Changes aliasing(const KnobSite&);
Changes read_only_loads(const KnobSite&);
Changes division(const KnobSite&);
Changes mathematics(const KnobSite&);
Changes vector_loads(const KnobSite&);
Changes other_kernels(const KnobSite&);
Changes unrolling(const KnobSite&);
Changes index_width(const KnobSite&);
Changes branches(const KnobSite&);
Changes padding(const KnobSite&);
Changes group_size_said(const KnobSite&);
Changes local_kind(const KnobSite&);

}  // namespace parallax::text_knobs
