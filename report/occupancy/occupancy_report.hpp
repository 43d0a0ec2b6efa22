// The occupancy calculator's page, and what it says of a case's kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/occupancy/prediction.hpp"

namespace parallax {

/// What a kernel takes, as it is asked for or was found.
struct KernelUse {
    std::uint64_t items = 0;        ///< of a group
    std::uint32_t registers = 0;    ///< of a work-item
    std::uint32_t local_bytes = 0;  ///< of a group
};

/// Active groups and warps, every limit with what it allows, and what a group is given.
std::string calculator_text(const UnitLimits&, const KernelUse&);

/// Warps over group size, registers and local memory, each with the other two as they are.
/// @param width  columns
std::string calculator_curves(const UnitLimits&, const KernelUse&, unsigned width);

/// Both of it; docs/reference/reports.md lists the members.
std::string calculator_json(const UnitLimits&, const KernelUse&);

/// A table of the kernels that were built at one place, and in words what is not known.
std::string predictions_text(const BuiltCase&);
/// What was built at all places, as docs/reference/reports.md lists it.
std::string predictions_json(const Case&, const std::vector<BuiltCase>&);

}  // namespace parallax
