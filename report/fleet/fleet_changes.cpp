// The sections about differences between a fleet's devices, and since a baseline.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/fleet/fleet_parts.hpp"
#include "report/wording.hpp"

namespace parallax {

using namespace report;

Section differences_section(const FleetView& view) {
    Section section{"What differs"};
    Grid grid{"", {"model", "what", "value", {"devices", "", true}, "which"}};
    for (const FleetDifference& one : view.report.differences) {
        for (const FleetDifference::Value& value : one.values) {
            const bool most = &value == &one.values.front();
            grid.rows.push_back(
                {.cells = {most ? shown_name(one.model) : "", most ? one.fact : "",
                           shown_name(value.value),
                           Cell(std::to_string(value.devices.size()),
                                static_cast<double>(value.devices.size())),
                           most && one.values.size() == 2 &&
                                   value.devices.size() > one.values.back().devices.size()
                               ? "all others"
                               : devices_text(view.fleet, value.devices, most_named)}});
        }
    }
    if (grid.rows.empty()) {
        section.say("Nothing: devices of a model have the same driver, settings and software.");
    }
    section.blocks.emplace_back(std::move(grid));
    return section;
}

Section changes_section(const FleetView& view) {
    Section section{"Against the baseline"};
    if (!view.report.change) return section;
    const FleetChange& change = *view.report.change;
    const FleetRecords& fleet = view.fleet;
    section.say(
        fmt::format("{} in both.", count_text(change.compared, "device is", "devices are")));
    if (!change.appeared.empty()) {
        section.say(fmt::format("New: {}.", devices_text(fleet, change.appeared, most_named)));
    }
    if (!change.disappeared.empty()) {
        std::vector<std::string> names;
        for (const FleetDevice& one : change.disappeared) names.push_back(shown_name(one.place()));
        const std::size_t more = names.size() - std::min(names.size(), most_named);
        names.resize(names.size() - more);
        section.say(fmt::format("Gone: {}{}.", fmt::join(names, ", "),
                                more > 0 ? fmt::format(" and {} more", more) : ""));
    }
    if (change.cured > 0) {
        section.say(fmt::format("{} right now that were not before.",
                                count_text(change.cured, "case is", "cases are")));
    }
    if (!change.newly_wrong.empty()) {
        section.blocks.emplace_back(troubles_grid("Not right any more", change.newly_wrong, fleet));
    }
    Grid facts{"What was changed",
               {"model", "what", "before", "now", {"devices", "", true}, "which"}};
    for (const FleetChange::Fact& one : change.facts) {
        facts.rows.push_back(
            {.cells = {
                 shown_name(one.model), one.fact, shown_name(one.before), shown_name(one.now),
                 Cell(std::to_string(one.devices.size()), static_cast<double>(one.devices.size())),
                 devices_text(fleet, one.devices, most_named)}});
    }
    section.blocks.emplace_back(std::move(facts));
    section.blocks.emplace_back(figures_grid(view,
                                             "Devices and nodes that changed otherwise than their "
                                             "peers",
                                             false, change.figures));
    Grid cases{"Speed now over before, device by device",
               with_quantiles({"case", {"devices", "", true}}, true)};
    for (const FleetChange::Case& one : change.cases) {
        GridRow row{.cells = {with_peers(title_of(fleet, one.the_case), fleet, one.peers),
                              Cell(std::to_string(one.devices), static_cast<double>(one.devices))}};
        add_quantiles(row, one.speeds, false, true);
        if (one.is_slower()) row.tone = Verdict::slower;
        cases.rows.push_back(std::move(row));
    }
    section.blocks.emplace_back(std::move(cases));
    return section;
}

}  // namespace parallax
