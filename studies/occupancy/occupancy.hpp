// The occupancy calculator: how many work-groups of a kernel fit on a compute unit, and what limits
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/explanation.hpp"

namespace parallax {

/// The resources of an NVIDIA compute unit (multiprocessor). Sizes are bytes, registers have 32
/// bits, a warp has 32 work-items.
struct UnitLimits {
    std::string_view compute_capability;
    std::uint32_t warps = 0, groups = 0;     ///< at a time; work-items: 32 a warp
    std::uint32_t group_items = 0;           ///< per work-group
    std::uint32_t registers = 0;             ///< of the unit
    std::uint32_t group_registers = 0;       ///< per work-group
    std::uint32_t item_registers = 0;        ///< of one work-item
    std::uint32_t register_step = 0;         ///< registers are given out in multiples of it,
    bool registers_by_group = false;         ///< to a work-group as a whole; otherwise to each warp
    std::uint32_t warp_step = 0;             ///< warps get registers in multiples of it
    std::uint32_t local_bytes = 0;           ///< of the unit, with the least cache
    std::uint32_t group_local_bytes = 0;     ///< per work-group, where the program requests the
                                             ///< maximum
    std::uint32_t local_step = 0;            ///< local memory is given out in multiples of it
    std::uint32_t reserved_local_bytes = 0;  ///< per work-group, for the driver

    std::uint32_t items() const { return warps * 32; }  ///< work-items at a time
};

/// Of a compute capability, `9.0`; nothing for one that is not in the table.
///
/// Sources: NVIDIA's CUDA Occupancy Calculator (spreadsheet, 1.0 to 8.6); "CUDA C++ Programming
/// Guide", technical specifications per compute capability (7.5 to 12.1); the CUDA toolkit's
/// cuda_occupancy.h 13.0 (steps, from 3.0).
std::optional<UnitLimits> limits_of(std::string_view compute_capability);

/// The resources of a unit that one work-group takes, rounded to allocation steps, and how many
/// such work-groups each of the unit's limits allows: `UINT64_MAX` where the work-group needs none
/// of it.
struct GroupNeeds {
    std::uint64_t warps = 0, registers = 0, local_bytes = 0;
    std::uint64_t by_warps = 0, by_registers = 0, by_local_memory = 0, by_groups = 0;
};

/// The needs of one work-group, for the number that occupancy_of counts.
GroupNeeds needs_of(const UnitLimits& limits, std::uint32_t registers, std::uint32_t local_bytes,
                    std::uint64_t group_items);

/// The compute capabilities that limits_of knows, the oldest first.
std::vector<std::string_view> known_capabilities();

/// The occupancy of work-groups of `group_items` work-items with `registers` each and `local_bytes`
/// of local memory per work-group, static and dynamic together. `limited_by` names every resource
/// that prevents one more work-group; with 0 work-groups a launch fails. Named barriers are left
/// out: they only limit kernels that use more than one per work-group.
Occupancy occupancy_of(const UnitLimits& limits, std::uint32_t registers, std::uint32_t local_bytes,
                       std::uint64_t group_items);

/// `12 of 24 warps, 50 %`
std::string in_words(const Occupancy&);

}  // namespace parallax
