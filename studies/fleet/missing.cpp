// Holds the devices that there are against those that are expected, or that other nodes have.
#include <algorithm>

#include <fmt/format.h>

#include "studies/fleet/fleet_numbers.hpp"

namespace parallax {
namespace {

/// `node1` and `node1.cluster` are one host, `node1.a` and `node1.b` are two.
bool same_host(const std::string& a, const std::string& b) {
    if (a == b) return true;
    const std::size_t dot_a = a.find('.'), dot_b = b.find('.');
    if ((dot_a == a.npos) == (dot_b == b.npos)) return false;
    return a.substr(0, dot_a) == b.substr(0, dot_b);
}

/// Cards, where a host has any: its processor is no GPU.
std::vector<std::uint32_t> counted_devices(const std::vector<std::uint32_t>& all,
                                           const FleetRecords& fleet) {
    std::vector<std::uint32_t> cards;
    for (const std::uint32_t one : all) {
        if (!fleet.devices[one].pci.empty()) cards.push_back(one);
    }
    return cards.empty() ? all : cards;
}

using Hosts = std::map<std::string, std::vector<std::uint32_t>>;

Hosts by_host(const FleetRecords& fleet) {
    Hosts hosts;
    for (std::uint32_t i = 0; i < fleet.devices.size(); ++i) {
        hosts[fleet.devices[i].host].push_back(i);
    }
    return hosts;
}

}  // namespace

void find_missing(const FleetRecords& fleet, const FleetExpectation& expectation,
                  FleetReport& report) {
    const Hosts hosts = by_host(fleet);
    std::set<std::string> known;
    for (const FleetExpectation::Node& node : expectation.nodes) {
        std::vector<std::uint32_t> all;
        for (const auto& [host, devices] : hosts) {
            if (!same_host(host, node.host)) continue;
            known.insert(host);
            all.insert(all.end(), devices.begin(), devices.end());
        }
        const std::vector<std::uint32_t> there = counted_devices(all, fleet);
        FleetMissing missing{.host = node.host, .expected = node.count, .found = there.size()};
        for (const std::string& uuid : node.uuids) {
            if (std::ranges::none_of(
                    there, [&](std::uint32_t i) { return fleet.devices[i].uuid == uuid; })) {
                missing.uuids.push_back(uuid);
            }
        }
        if (!node.uuids.empty()) missing.found = node.uuids.size() - missing.uuids.size();
        if (missing.found < missing.expected) report.missing.push_back(std::move(missing));
        if (there.size() > node.count && node.uuids.empty()) {
            report.remarks.push_back(
                fmt::format("{} has records of {} devices, and {} were expected.", node.host,
                            there.size(), node.count));
        }
        for (const std::uint32_t one : there) {
            if (node.uuids.empty()) break;
            if (std::ranges::find(node.uuids, fleet.devices[one].uuid) == node.uuids.end()) {
                report.unexpected.push_back(one);
            }
        }
    }
    for (const auto& [host, devices] : hosts) {
        if (known.contains(host)) continue;
        report.unexpected.insert(report.unexpected.end(), devices.begin(), devices.end());
    }
    fleet.sort(report.unexpected);
    std::ranges::sort(report.missing, [](const FleetMissing& a, const FleetMissing& b) {
        return natural_before(a.host, b.host);
    });
}

void find_fewer(const FleetRecords& fleet, FleetReport& report) {
    std::map<std::string, Hosts> models;
    for (const auto& [host, devices] : by_host(fleet)) {
        for (const std::uint32_t one : devices) {
            models[fleet.devices[one].model][host].push_back(one);
        }
    }
    for (const auto& [model, hosts] : models) {
        std::map<std::size_t, std::size_t> nodes_with;
        for (const auto& [host, devices] : hosts) ++nodes_with[devices.size()];
        const auto most =
            std::ranges::max_element(nodes_with, {}, [](const auto& one) { return one.second; });
        if (2 * most->second <= hosts.size()) continue;
        std::map<std::uint32_t, std::size_t> slots;
        for (const auto& [host, devices] : hosts) {
            for (const std::uint32_t one : devices) {
                if (fleet.devices[one].slot) ++slots[*fleet.devices[one].slot];
            }
        }
        for (const auto& [host, devices] : hosts) {
            if (devices.size() >= most->first || host.empty()) continue;
            FleetMissing fewer{.host = host, .expected = most->first, .found = devices.size()};
            for (const auto& [slot, nodes] : slots) {
                const bool here = std::ranges::any_of(
                    devices, [&](std::uint32_t i) { return fleet.devices[i].slot == slot; });
                if (!here && 2 * nodes > hosts.size()) fewer.slots.push_back(slot);
            }
            report.fewer.push_back(std::move(fewer));
        }
    }
    std::ranges::sort(report.fewer, [](const FleetMissing& a, const FleetMissing& b) {
        return natural_before(a.host, b.host);
    });
}

}  // namespace parallax
