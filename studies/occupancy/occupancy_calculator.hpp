// The occupancy calculator's page: from registers, local memory and group size to active warps.
#pragma once

#include <cstdint>
#include <string>

#include "records/line.hpp"
#include "studies/occupancy/occupancy.hpp"

namespace parallax::cli {

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

/// Both of it; docs/occupancy.md lists the members.
Json calculator_json(const UnitLimits&, const KernelUse&);

/// `12 of 24 warps, 50 %`
std::string in_words(const Occupancy&);

}  // namespace parallax::cli
