// Compares a case's buffers and work with a device's capacity.
#include "measure/sizing.hpp"

#include <algorithm>
#include <limits>

#include <unistd.h>

#include "common/error.hpp"
#include "measure/run_case.hpp"

namespace parallax {
namespace {

/// Shorter runs measure launch time rather than kernels.
constexpr double long_enough = 4e-5;
/// Shorter steps may wait for the host, which is slower while it serves another device.
constexpr double longer_than_launching = 2e-5;

/// Bytes a second between host and device: PCI Express 5.0 with 16 lanes, one way; and of pageable
/// memory, which a core of the host copies into page-locked memory first.
constexpr double fastest_link = 64e9, fastest_pageable = 14e9;
/// Longer transfers are limited neither by caches nor by launch time.
constexpr double long_over_link = 1e-3;

/// The least seconds for moving the buffers in host memory once.
double link_seconds(const Plan& plan) {
    double seconds = 0;
    for (const BufferSpec& buffer : plan.buffers) {
        if (buffer.placement == Placement::device) continue;
        const bool is_pageable = buffer.placement == Placement::pageable;
        seconds +=
            static_cast<double>(buffer.bytes()) / (is_pageable ? fastest_pageable : fastest_link);
    }
    return seconds;
}

}  // namespace

std::uint64_t host_memory_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && size > 0
               ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size)
               : std::uint64_t{1} << 30;
}

bool has_room(const DeviceInfo& info, const Plan& plan, unsigned sets) {
    const Footprint need = footprint(plan);
    return sets * need.total < info.memory_bytes / 2 && need.largest < info.max_allocation_bytes &&
           need.total < host_memory_bytes() / 8;
}

double least_seconds(const Case& c, const Ceiling& ceiling) {
    const Work work = c.suite->work(c);
    double seconds = 0;
    if (ceiling.bytes_per_second > 0) seconds = work.bytes / ceiling.bytes_per_second;
    if (ceiling.operations_per_second > 0) {
        seconds = std::max(seconds, work.operations / ceiling.operations_per_second);
    } else if (ceiling.bytes_per_second > 0) {
        // No ceiling of operations for this type: an operation counts as a byte.
        seconds = std::max(seconds, work.operations / ceiling.bytes_per_second);
    }
    return seconds;
}

Shape choose_shape(const Case& c, std::span<const Sized> devices, double most_seconds) {
    const std::vector<Shape>& shapes = shapes_of(*c.suite, *c.variant);
    Shape chosen = shapes.front();
    for (const Shape& shape : shapes) {
        const Case sized = with_shape(c, shape);
        const Plan plan = plan_of(sized);
        const Work work = c.suite->work(sized);
        double longest = 0, shortest = std::numeric_limits<double>::infinity();
        bool has_room_everywhere = true, in_cache = false;
        const double over_link = link_seconds(plan);
        for (const auto& [info, ceiling] : devices) {
            const double seconds = std::max(over_link, least_seconds(sized, ceiling));
            longest = std::max(longest, seconds);
            shortest = std::min(shortest, seconds);
            // Both sides may be on one card, each with a second set of inputs.
            has_room_everywhere = has_room_everywhere && has_room(*info, plan, 4);
            in_cache = in_cache || (work.moves_much() && over_link < long_over_link &&
                                    is_half_in_cache(*info, plan));
        }
        if (!has_room_everywhere) break;
        if (&shape != &shapes.front() && longest > most_seconds) break;
        chosen = shape;
        if (shortest < (over_link > 0 ? long_over_link : long_enough) || in_cache) continue;
        // Of an even and an odd size with nearly the same work, takes the even one.
        const Shape* next = &shape + 1;
        if (next == shapes.data() + shapes.size()) break;
        const Case evened = with_shape(c, *next);
        if (c.suite->work(evened).bytes < 1.01 * work.bytes) chosen = *next;
        break;
    }
    return chosen;
}

bool host_bound(Case c, const Ceiling& ceiling) {
    if (c.shape.extents.empty()) c = with_shape(c, shapes_of(*c.suite, *c.variant).back());
    try {
        const Plan plan = plan_of(c);
        const Work work = c.suite->work(c);
        if (!plan.is_plain() || work.bytes + work.operations <= 0) return true;
        // The duration of a ceiling is not known yet; its size grows until it is long enough.
        if (c.suite->is_ceiling) return false;
        return least_seconds(c, ceiling) <
               longer_than_launching * static_cast<double>(plan.steps.size());
    } catch (const Error&) {
        return true;  // it is impossible, and will report why
    }
}

bool pauses_the_pool(const Case& c, const DeviceInfo& info) {
    return !info.is_gpu || !c.suite->is_ceiling || host_bound(c, {});
}

}  // namespace parallax
