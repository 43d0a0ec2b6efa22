// The map of a fleet's nodes by slots.
#include <algorithm>
#include <cmath>

#include "report/fleet/fleet_report.hpp"

namespace parallax {

std::optional<double> FleetMapCell::farthest() const {
    std::optional<double> far;
    for (const std::optional<double>& one : deviations) {
        if (one && (!far || std::fabs(*one) > std::fabs(*far))) far = one;
    }
    return far;
}

std::vector<FleetMapRow> fleet_map(const FleetView& view) {
    std::map<std::uint32_t, FleetMapCell> cells;
    for (std::uint32_t i = 0; i < view.fleet.devices.size(); ++i) cells[i].device = i;
    for (const FleetFigure& one : view.report.devices) {
        FleetMapCell& cell = cells[one.devices.front()];
        std::optional<double>& mine = cell.deviations[static_cast<std::size_t>(one.kind)];
        if (!mine || std::fabs(one.deviation) > std::fabs(*mine)) mine = one.deviation;
        cell.is_outlier |= one.is_outlier;
    }
    for (const FleetFigure& one : view.report.nodes) {
        for (const std::uint32_t device : one.devices) cells[device].is_outlier |= one.is_outlier;
    }
    for (const std::uint32_t one : view.report.busy) cells[one].state = "busy";
    for (const FleetTrouble& one : view.report.troubles) {
        std::string& state = cells[one.device].state;
        if (state != "wrong") state = one.answers.wrong > 0 ? "wrong" : "failed";
    }
    constexpr std::uint32_t most_slots = 64;  // a record can say any number
    std::vector<FleetMapRow> map;
    for (const std::uint32_t one : view.fleet.in_place()) {
        const FleetDevice& device = view.fleet.devices[one];
        if (map.empty() || map.back().host != device.host) map.push_back({.host = device.host});
        auto& slots = map.back().slots;
        const std::size_t at =
            device.slot && *device.slot < most_slots ? *device.slot : slots.size();
        if (slots.size() <= at) slots.resize(at + 1);
        slots[at].push_back(cells[one]);
    }
    for (const FleetMissing& one : view.report.missing) {
        auto row = std::ranges::find(map, one.host, &FleetMapRow::host);
        if (row == map.end()) row = map.insert(map.end(), {.host = one.host});
        std::size_t left = one.expected - one.found;
        for (std::size_t at = 0; left > 0 && at < most_slots; ++at) {
            if (row->slots.size() <= at) row->slots.resize(at + 1);
            if (!row->slots[at].empty()) continue;
            row->slots[at].push_back(
                {.device = {}, .state = "missing", .is_outlier = false, .deviations = {}});
            --left;
        }
    }
    std::ranges::sort(map, [](const FleetMapRow& a, const FleetMapRow& b) {
        return natural_before(a.host, b.host);
    });
    return map;
}

}  // namespace parallax
