// The map of a fleet's nodes by slots.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/fleet/fleet_parts.hpp"
#include "report/wording.hpp"

namespace parallax {

using namespace report;

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

Section map_section(const FleetView& view) {
    Section section{std::string(map_section_title)};
    const std::vector<FleetMapRow> map = fleet_map(view);
    std::size_t slots = 0;
    for (const FleetMapRow& row : map) slots = std::max(slots, row.slots.size());
    Grid grid{"", {"node"}};
    for (std::size_t i = 0; i < slots; ++i) grid.columns.emplace_back(fmt::format("gpu {}", i));
    for (const FleetMapRow& row : map) {
        GridRow line{.cells = {shown_name(node_name(row.host))}};
        bool shown = false;
        for (std::size_t i = 0; i < slots; ++i) {
            std::string text;
            std::optional<Verdict> tone;
            for (const FleetMapCell& cell :
                 i < row.slots.size() ? row.slots[i] : std::vector<FleetMapCell>()) {
                const double far = cell.farthest().value_or(0);
                shown |= !cell.state.empty() || cell.is_outlier;
                if (!text.empty()) text += " ";
                text += !cell.state.empty() ? cell.state
                        : cell.farthest()   ? deviation_text(far)
                                            : "-";
                const bool is_busy = cell.state == "busy";
                if (!cell.state.empty() && !(tone && is_busy)) {
                    tone = is_busy ? Verdict::undecided : Verdict::wrong;
                }
                if (!tone && cell.is_outlier) {
                    tone = far < 0 ? Verdict::slower : Verdict::faster;
                }
            }
            line.cells.emplace_back(text, std::nullopt, tone);
        }
        if (shown) grid.rows.push_back(std::move(line));
    }
    section.say(
        grid.rows.empty()
            ? fmt::format("Nothing stands out on {}.", counted(map.size(), "node"))
            : fmt::format(
                  "{} of {} with a device that is not right, missing, busy, or an outlier; the "
                  "page has all. A figure is the class in which a device is the farthest "
                  "from its peers.",
                  grid.rows.size(), counted(map.size(), "node")));
    section.blocks.emplace_back(std::move(grid));
    return section;
}

}  // namespace parallax
