// The occupancy calculator's page, and its results for a case's kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/document.hpp"
#include "studies/occupancy/prediction.hpp"

namespace parallax {

/// The resources of a kernel, as requested or as found.
struct KernelUse {
    std::uint64_t items = 0;        ///< per work-group
    std::uint32_t registers = 0;    ///< of a work-item
    std::uint32_t local_bytes = 0;  ///< per work-group
};

/// Active work-groups and warps, every limit with what it allows, the resources of a work-group,
/// and the warps over work-group size, registers and local memory, one varied at a time.
report::Document calculator_document(const UnitLimits&, const KernelUse&);

/// The same; docs/reference/reports.md lists the members.
std::string calculator_json(const UnitLimits&, const KernelUse&);

/// A table of the kernels that were built at one place, and in words what is not known.
report::Section predictions_section(const BuiltCase&);
/// The builds for all targets, as docs/reference/reports.md lists them.
std::string predictions_json(const Case&, const std::vector<BuiltCase>&);

}  // namespace parallax
