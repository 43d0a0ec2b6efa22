// What a fleet's devices, cases and figures are called in its report.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/fleet/fleet_parts.hpp"
#include "report/wording.hpp"

namespace parallax {

using namespace report;

std::string count_text(std::size_t count, std::string_view one, std::string_view several) {
    return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string shown_name(const std::string& text) {
    return printable(text, 120);
}

std::string place_of(const FleetRecords& fleet, std::uint32_t device) {
    return shown_name(fleet.devices[device].place());
}

std::string identity_of(const FleetRecords& fleet, std::uint32_t device) {
    const FleetDevice& one = fleet.devices[device];
    const std::string_view kind = !one.uuid.empty() ? "UUID" : !one.pci.empty() ? "PCI" : "entry";
    return fmt::format("{} {}", kind, shown_name(one.identity()));
}

std::string busy_text(const FleetDevice& device) {
    const FleetOthers& others = device.others;
    return fmt::format("others used {} in {} of {}",
                       others.most_use ? fmt::format("up to {:.0f} % of it", 100 * *others.most_use)
                                       : "an unknown share of it",
                       others.records, counted(device.records, "record"));
}

std::string title_of(const FleetRecords& fleet, std::uint32_t the_case) {
    return shown_name(fleet.cases[the_case].title);
}

std::string with_peers(std::string title, const FleetRecords& fleet, std::uint32_t peers) {
    if (fleet.peers.size() == 1) return title;
    return fmt::format("{} [{}]", title, shown_name(fleet.peers[peers].title()));
}

std::string peers_title(const FleetRecords& fleet, std::uint32_t peers) {
    return shown_name(fleet.peers[peers].title());
}

std::string deviation_text(double logarithm) {
    return fmt::format("{:+.1f} %", 100 * std::expm1(logarithm));
}

std::string devices_text(const FleetRecords& fleet, const std::vector<std::uint32_t>& devices,
                         std::size_t most) {
    std::map<std::string, std::vector<std::uint32_t>> hosts;
    std::vector<std::string> order;
    for (const std::uint32_t one : devices) {
        const std::string& host = fleet.devices[one].host;
        if (hosts[host].empty()) order.push_back(host);
        hosts[host].push_back(one);
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
        const std::vector<std::uint32_t>& here = hosts[order[i]];
        names.push_back(here.size() == 1
                            ? place_of(fleet, here.front())
                            : fmt::format("{} ({})", shown_name(node_name(order[i])), here.size()));
    }
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (order.size() > most) text += fmt::format(" and {} more nodes", order.size() - most);
    return text;
}

}  // namespace parallax
