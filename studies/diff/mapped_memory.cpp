// Compares the rates of mapped buffers with that of the device's own memory.
#include "studies/diff/mapped_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "studies/case_of.hpp"
#include "studies/diff/pairing.hpp"

namespace parallax {
namespace {

/// Of the device's copy bandwidth: more than links to the host have, less than kernels that only
/// move data reach.
constexpr double least_own_share = 1.0 / 3;

bool has_mapped_buffers(const CaseKey& key) {
    try {
        const Plan plan = plan_of(parallax::case_of(key));
        return std::ranges::find(plan.buffers, Placement::mapped, &BufferSpec::placement) !=
               plan.buffers.end();
    } catch (const UsageError&) {
        return false;  // of a suite that this program does not have
    }
}

/// Bytes a second that the device copies in its own memory, as far as the side's records say.
double copy_bandwidth(const SideSet& side) {
    double most = 0;
    for (const Record* record : side.records) {
        most = std::max(most, record->ceiling.bytes_per_second);
        if (record->key.suite != ceiling_suite || !record->timing) continue;
        most = std::max(most, record->work.bytes / record->seconds());
    }
    return most;
}

}  // namespace

void compare_mapped_memory(const Sides& sides, std::vector<CaseDiff>& cases) {
    const double least_a = least_own_share * copy_bandwidth(sides.a),
                 least_b = least_own_share * copy_bandwidth(sides.b);
    if (!(least_a > 0) || !(least_b > 0) ||
        !one_physical_device(sides.a.records.front()->where, sides.b.records.front()->where)) {
        return;
    }
    std::vector<CaseDiff*> mapped;
    for (CaseDiff& c : cases) {
        if (c.a.seconds > 0 && c.b.seconds > 0 && has_mapped_buffers(c.key)) mapped.push_back(&c);
    }
    const auto is_own_a = [&](const CaseDiff* c) { return c->a.bytes_per_second() > least_a; };
    const auto is_own_b = [&](const CaseDiff* c) { return c->b.bytes_per_second() > least_b; };
    const auto shows =
        std::ranges::find_if(mapped, [&](const CaseDiff* c) { return is_own_a(c) != is_own_b(c); });
    if (shows == mapped.end()) return;
    const bool is_own = is_own_a(*shows);
    for (CaseDiff* c : mapped) {
        const auto words = [](bool own, const Side& side) {
            return fmt::format("{}, at {}", own ? "the device's" : "the host's",
                               rate(side.bytes_per_second(), "B"));
        };
        c->kernel.differences.push_back({.what = "memory of mapped buffers",
                                         .a = words(is_own, c->a),
                                         .b = words(!is_own, c->b),
                                         .forbids = true});
        c->kernel.same = false;
    }
}

}  // namespace parallax
