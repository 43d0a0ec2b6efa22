// Knobs that change the text of a kernel in OpenCL C, and with it that of both sides: what each of
// them is for stands in the list of all knobs.
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
