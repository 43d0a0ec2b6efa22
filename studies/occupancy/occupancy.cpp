// Occupancy by NVIDIA's published rules.
#include "studies/occupancy/occupancy.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace parallax {
namespace {

constexpr std::uint32_t kib = 1024;
constexpr std::uint64_t warp_items = 32;

constexpr UnitLimits g80{.compute_capability = "1.0",
                         .warps = 24,
                         .groups = 8,
                         .group_items = 512,
                         .registers = 8192,
                         .group_registers = 8192,
                         .item_registers = 124,
                         .register_step = 256,
                         .registers_by_group = true,
                         .warp_step = 2,
                         .local_bytes = 16 * kib,
                         .group_local_bytes = 16 * kib,
                         .local_step = 512};
constexpr UnitLimits fermi{.compute_capability = "2.0",
                           .warps = 48,
                           .groups = 8,
                           .group_items = 1024,
                           .registers = 32 * kib,
                           .group_registers = 32 * kib,
                           .item_registers = 63,
                           .register_step = 64,
                           .warp_step = 2,
                           .local_bytes = 48 * kib,
                           .group_local_bytes = 48 * kib,
                           .local_step = 128};
/// Base of all later rows, each of which changes some fields.
constexpr UnitLimits kepler{.compute_capability = "3.0",
                            .warps = 64,
                            .groups = 16,
                            .group_items = 1024,
                            .registers = 64 * kib,
                            .group_registers = 64 * kib,
                            .item_registers = 255,
                            .register_step = 256,
                            .warp_step = 4,
                            .local_bytes = 48 * kib,
                            .group_local_bytes = 48 * kib,
                            .local_step = 256};

template <class Change>
constexpr UnitLimits with(UnitLimits limits, std::string_view compute_capability, Change change) {
    limits.compute_capability = compute_capability;
    change(limits);
    return limits;
}

constexpr UnitLimits gt200(std::string_view compute_capability) {
    return with(g80, compute_capability, [](UnitLimits& l) {
        l.warps = 32;
        l.registers = l.group_registers = 16 * kib;
        l.register_step = 512;
    });
}

/// Maxwell, Pascal, Volta: `local` KiB of a unit.
constexpr UnitLimits maxwell(std::string_view compute_capability, std::uint32_t local,
                             std::uint32_t group_registers = 64 * kib,
                             std::uint32_t warp_step = 4) {
    return with(kepler, compute_capability, [&](UnitLimits& l) {
        l.groups = 32;
        l.local_bytes = local * kib;
        l.group_registers = group_registers;
        l.warp_step = warp_step;
    });
}

/// Volta and Turing: local memory and cache share their storage, and a work-group can have all of
/// it.
constexpr UnitLimits volta(std::string_view compute_capability, std::uint32_t warps,
                           std::uint32_t groups, std::uint32_t local) {
    return with(kepler, compute_capability, [&](UnitLimits& l) {
        l.warps = warps;
        l.groups = groups;
        l.local_bytes = l.group_local_bytes = local * kib;
    });
}

/// From Ampere on the driver reserves 1 KiB per work-group.
constexpr UnitLimits ampere(std::string_view compute_capability, std::uint32_t warps,
                            std::uint32_t groups, std::uint32_t local) {
    return with(volta(compute_capability, warps, groups, local), compute_capability,
                [](UnitLimits& l) {
                    l.local_step = 128;
                    l.reserved_local_bytes = kib;
                    l.group_local_bytes = l.local_bytes - kib;
                });
}

constexpr auto same = [](UnitLimits&) {};

constexpr std::array table{
    g80,
    with(g80, "1.1", same),
    gt200("1.2"),
    gt200("1.3"),
    fermi,
    with(fermi, "2.1", same),
    with(kepler, "3.0", [](UnitLimits& l) { l.item_registers = 63; }),
    with(kepler, "3.5", same),
    with(kepler, "3.7",
         [](UnitLimits& l) {
             l.registers = 128 * kib;
             l.local_bytes = 112 * kib;
         }),
    maxwell("5.0", 64),
    maxwell("5.2", 96),
    maxwell("5.3", 64, 32 * kib),
    maxwell("6.0", 64, 64 * kib, 2),
    maxwell("6.1", 96),
    maxwell("6.2", 64, 32 * kib),
    volta("7.0", 64, 32, 96),
    volta("7.5", 32, 16, 64),
    ampere("8.0", 64, 32, 164),
    ampere("8.6", 48, 16, 100),
    ampere("8.7", 48, 16, 164),
    ampere("8.9", 48, 24, 100),
    ampere("9.0", 64, 32, 228),
    ampere("10.0", 64, 32, 228),
    ampere("10.3", 64, 32, 228),
    ampere("12.0", 48, 24, 100),
    ampere("12.1", 48, 24, 100),
};

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t step) {
    return (value + step - 1) / step * step;
}

constexpr std::uint64_t no_limit = UINT64_MAX;

struct Share {
    std::uint64_t of_group = 0, groups = 0;
};

Share registers_of(const UnitLimits& l, std::uint64_t registers, std::uint64_t warps) {
    if (registers == 0) return {0, no_limit};
    const std::uint64_t warps_given = rounded_up(warps, l.warp_step);
    const std::uint64_t of_warp = rounded_up(registers * warp_items, l.register_step);
    const std::uint64_t of_group =
        l.registers_by_group ? rounded_up(warps_given * registers * warp_items, l.register_step)
                             : of_warp * warps_given;
    // The launch is checked as if every part of the unit held as many warps.
    if (registers > l.item_registers || of_group > l.group_registers) return {of_group, 0};
    if (l.registers_by_group) return {of_group, l.registers / of_group};
    return {of_warp * warps, l.registers / of_warp / l.warp_step * l.warp_step / warps};
}

Share local_memory_of(const UnitLimits& l, std::uint64_t bytes) {
    const std::uint64_t of_group = rounded_up(bytes + l.reserved_local_bytes, l.local_step);
    if (bytes > l.group_local_bytes) return {of_group, 0};
    return {of_group, of_group == 0 ? no_limit : l.local_bytes / of_group};
}

}  // namespace

std::optional<UnitLimits> limits_of(std::string_view compute_capability) {
    const auto found =
        std::ranges::find(table, compute_capability, &UnitLimits::compute_capability);
    if (found == table.end()) return {};
    return *found;
}

std::vector<std::string_view> known_capabilities() {
    std::vector<std::string_view> known;
    for (const UnitLimits& one : table) known.push_back(one.compute_capability);
    return known;
}

GroupNeeds needs_of(const UnitLimits& l, std::uint32_t registers, std::uint32_t local_bytes,
                    std::uint64_t group_items) {
    const std::uint64_t items = std::max<std::uint64_t>(group_items, 1);
    // A value above every work-group's limit is rejected below; larger numbers would only overflow.
    const std::uint64_t warps =
        rounded_up(std::min<std::uint64_t>(items, 1 << 20), warp_items) / warp_items;
    const Share by_registers = registers_of(l, registers, warps);
    const Share by_local_memory = local_memory_of(l, local_bytes);
    return {.warps = warps,
            .registers = by_registers.of_group,
            .local_bytes = by_local_memory.of_group,
            .by_warps = items > l.group_items ? 0 : l.warps / warps,
            .by_registers = by_registers.groups,
            .by_local_memory = by_local_memory.groups,
            .by_groups = l.groups};
}

Occupancy occupancy_of(const UnitLimits& l, std::uint32_t registers, std::uint32_t local_bytes,
                       std::uint64_t group_items) {
    Occupancy made{.most_warps = l.warps};
    const GroupNeeds needs = needs_of(l, registers, local_bytes, group_items);
    struct Limit {
        std::string_view name;
        std::uint64_t groups;
    };
    const std::array limits{Limit{"registers", needs.by_registers},
                            Limit{"local memory", needs.by_local_memory},
                            Limit{"warps", needs.by_warps}, Limit{"groups", needs.by_groups}};
    const std::uint64_t least = std::ranges::min(limits, {}, &Limit::groups).groups;
    for (const Limit& limit : limits) {
        if (limit.groups != least) continue;
        if (!made.limited_by.empty()) made.limited_by += " and ";
        made.limited_by += limit.name;
    }
    made.groups = static_cast<std::uint32_t>(least);
    made.warps = static_cast<std::uint32_t>(least * needs.warps);
    return made;
}

std::string in_words(const Occupancy& o) {
    return fmt::format("{} of {} warps, {:.0f} %", o.warps, o.most_warps, 100 * o.share());
}

}  // namespace parallax
