// Knobs that change a kernel's source: its OpenCL C, and with it the source of both sides, or its
// CUDA C++ where that is a side's own. The list of all knobs gives the purpose of each.
#pragma once

#include <vector>

#include "mapping/analyze/outline.hpp"
#include "studies/explain/knobs.hpp"

namespace parallax::text_knobs {

using Changes = std::vector<KnobChange>;

/// The language of the side's own source.
SourceLanguage source_language(const KnobSite&);

/// What the other side's source has in place of this one's, in this side's language.
Changes other_source(const KnobSite&);
Changes alignment(const KnobSite&);
Changes doubles(const KnobSite&);
Changes volatility(const KnobSite&);
Changes aliasing(const KnobSite&);
Changes read_only_loads(const KnobSite&);
Changes division(const KnobSite&);
Changes mathematics(const KnobSite&);
Changes vector_loads(const KnobSite&);
Changes sums_by_exchange(const KnobSite&);
Changes other_kernels(const KnobSite&);
Changes unrolling(const KnobSite&);
Changes index_width(const KnobSite&);
Changes branches(const KnobSite&);
Changes padding(const KnobSite&);
Changes group_size_said(const KnobSite&);
Changes local_kind(const KnobSite&);

}  // namespace parallax::text_knobs
