// Devices and nodes of a fleet that are far from their peers.
#include <algorithm>

#include <fmt/format.h>

#include "report/fleet/fleet_parts.hpp"
#include "report/wording.hpp"

namespace parallax {
namespace {

using namespace report;

GridRow figure_row(const FleetView& view, const FleetFigure& one, bool is_node) {
    const FleetDevice& first = view.fleet.devices[one.devices.front()];
    const std::string name = is_node ? fmt::format("{} ({})", shown_name(first.host),
                                                   counted(one.devices.size(), "device"))
                                     : place_of(view.fleet, one.devices.front());
    return {.cells = {name, name_of(one.kind),
                      Cell(deviation_text(one.deviation), one.deviation,
                           one.is_slow() ? Verdict::slower : Verdict::faster),
                      Cell(fmt::format("{:+.1f}", one.z), one.z),
                      Cell(fmt::format("{:.1f}", one.limit), one.limit),
                      Cell(std::to_string(one.cases), static_cast<double>(one.cases)),
                      view.fleet.peers.size() == 1 ? "" : peers_title(view.fleet, one.peers)},
            .note = is_node ? "" : identity_of(view.fleet, one.devices.front())};
}

}  // namespace

Grid figures_grid(const FleetView& view, const std::string& title, bool is_node,
                  const std::vector<FleetFigure>& figures) {
    Grid grid{title,
              {is_node ? "node" : "device",
               "class",
               {"from its peers", "", true},
               {"z", "", true},
               {"limit", "", true},
               {"cases", "", true},
               "peers"}};
    std::vector<const FleetFigure*> sorted;
    for (const FleetFigure& one : figures) {
        if (one.is_outlier) sorted.push_back(&one);
    }
    std::ranges::stable_sort(sorted, {}, [](const FleetFigure* one) { return one->deviation; });
    for (const FleetFigure* one : sorted) grid.rows.push_back(figure_row(view, *one, is_node));
    grid.drop_empty_columns();
    return grid;
}

Section outliers_section(const FleetView& view) {
    const FleetReport& report = view.report;
    Section section{"Outliers"};
    const Grid devices = figures_grid(view, "Devices", false, report.devices);
    const Grid nodes =
        figures_grid(view, "Nodes (the median of their devices)", true, report.nodes);
    std::size_t unjudged = 0;
    for (const FleetFigure& one : report.devices) unjudged += one.limit == 0;
    if (report.judged == 0) {
        section.say(
            fmt::format("None was looked for: a device is held against {} peers at least, of one "
                        "model, power limit and MIG shape, in the same cases.",
                        least_peers));
        return section;
    }
    section.say(fmt::format(
        "{} and {}. An outlier is beyond its limit of z, which calls anything of a healthy fleet "
        "so in {:.0f} % of reports ({}), and more than {:.0f} % off its peers, a node {:.0f} %.",
        devices.rows.empty()
            ? "No device"
            : count_text(devices.rows.size(), "figure of a device", "figures of devices"),
        nodes.rows.empty() ? "no node"
                           : count_text(nodes.rows.size(), "figure of a node", "figures of nodes"),
        100 * fleet_error, counted(report.judged, "figure"), 100 * least_deviation,
        50 * least_deviation));
    if (unjudged > 0) {
        section.say(fmt::format("{} of too few peers {} not judged.", counted(unjudged, "figure"),
                                unjudged == 1 ? "was" : "were"));
    }
    section.blocks.insert(section.blocks.end(), {devices, nodes});
    return section;
}

}  // namespace parallax
