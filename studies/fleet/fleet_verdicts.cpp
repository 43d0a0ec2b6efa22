// Holds devices and nodes against their peers, and finds what differs.
#include "studies/fleet/fleet_verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/statistics/interval.hpp"
#include "common/statistics/statistics.hpp"
#include "studies/fleet/fleet_numbers.hpp"

namespace parallax {
namespace {

/// A median absolute deviation as the standard deviation of a normal distribution.
constexpr double normal_mad = 1.4826;

std::vector<FleetTrouble> troubles_of(const FleetRecords& fleet) {
    std::vector<FleetTrouble> troubles;
    for (const auto& [which, all] : fleet.answers) {
        FleetAnswers answers = fleet.answers_of(which.first, which.second);
        if (answers.is_bad()) troubles.push_back({which.first, which.second, std::move(answers)});
    }
    std::ranges::stable_sort(troubles, [&](const FleetTrouble& a, const FleetTrouble& b) {
        return before_in_place(fleet.devices[a.device], fleet.devices[b.device]);
    });
    return troubles;
}

std::vector<FleetDifference> differences_of(const FleetRecords& fleet) {
    std::map<std::pair<std::string, std::string>, std::map<std::string, std::vector<std::uint32_t>>>
        seen;
    for (std::uint32_t i = 0; i < fleet.devices.size(); ++i) {
        const FleetDevice& device = fleet.devices[i];
        for (const auto& [fact, values] : device.facts) {
            seen[{device.model, fact}][fmt::format("{}", fmt::join(values, " and "))].push_back(i);
        }
    }
    std::vector<FleetDifference> differences;
    for (auto& [which, values] : seen) {
        if (values.size() < 2) continue;
        FleetDifference& one = differences.emplace_back(which.first, which.second);
        for (auto& [value, devices] : values) {
            fleet.sort(devices);
            one.values.push_back({value, std::move(devices)});
        }
        std::ranges::stable_sort(one.values, std::greater{},
                                 [](const auto& value) { return value.devices.size(); });
    }
    return differences;
}

std::vector<FleetSpread> spreads_of(const FleetValues& speeds) {
    std::vector<FleetSpread> spreads;
    for (auto& [which, values] : by_peers_and_case(speeds)) {
        FleetSpread spread{
            .peers = which.first, .the_case = which.second, .devices = values.size()};
        std::vector<double> logs;
        for (const auto& [device, value] : values) logs.push_back(value);
        spread.speeds = quantiles_of(std::move(logs));
        const double middle = spread.speeds[3];
        spread.median_seconds = std::exp(-middle);
        for (double& one : spread.speeds) one -= middle;
        spreads.push_back(spread);
    }
    return spreads;
}

std::vector<FleetRatio> ratios_of(const FleetRecords& fleet, const FleetValues& speeds) {
    std::map<std::string, std::uint32_t> cuda;
    for (std::uint32_t i = 0; i < fleet.cases.size(); ++i) {
        if (fleet.cases[i].backend == "cuda") cuda[fleet.cases[i].identity] = i;
    }
    std::vector<FleetRatio> ratios;
    for (const auto& [which, values] : by_peers_and_case(speeds)) {
        const FleetCase& one = fleet.cases[which.second];
        const auto other = cuda.find(one.identity);
        if (one.backend != "opencl" || other == cuda.end()) continue;
        std::vector<std::pair<double, std::uint32_t>> logs;
        for (const auto& [device, speed] : values) {
            const auto twin = speeds.find({device, which.first, other->second});
            if (twin != speeds.end()) logs.emplace_back(speed - twin->second, device);
        }
        if (logs.empty()) continue;
        std::ranges::sort(logs);
        FleetRatio ratio{.peers = which.first,
                         .the_case = which.second,
                         .devices = logs.size(),
                         .least = logs.front().second,
                         .most = logs.back().second};
        std::vector<double> plain;
        for (const auto& [log, device] : logs) plain.push_back(log);
        ratio.ratios = quantiles_of(std::move(plain));
        ratios.push_back(ratio);
    }
    return ratios;
}

std::vector<std::string> remarks_of(const FleetRecords& fleet) {
    std::vector<std::string> remarks;
    std::map<std::string, std::set<std::string>> hosts_of;
    std::map<std::string, std::set<std::string>> cards_in;
    std::size_t unknown = 0;
    for (const FleetDevice& device : fleet.devices) {
        if (!device.uuid.empty() && !device.pci.empty()) {
            hosts_of[device.uuid].insert(device.host.empty() ? "an unknown host" : device.host);
        }
        const bool part = !device.facts.contains("MIG") || !device.facts.at("MIG").contains("off");
        if (!part && device.slot) cards_in[device.place()].insert(device.identity());
        unknown += device.host.empty();
    }
    for (const auto& [uuid, hosts] : hosts_of) {
        if (hosts.size() < 2) continue;
        remarks.push_back(fmt::format(
            "The UUID {} is on {}: the card was moved, or two have one name. Each place is counted "
            "as a device of its own.",
            uuid, fmt::join(hosts, " and ")));
    }
    for (const auto& [place, cards] : cards_in) {
        if (cards.size() < 2) continue;
        remarks.push_back(fmt::format("{} was {} cards: {}. One was put in the other's place.",
                                      place, cards.size(), fmt::join(cards, ", ")));
    }
    if (unknown > 0) {
        remarks.push_back(fmt::format(
            "{} of {} devices have records that name no host: an older program wrote them.",
            unknown, fleet.devices.size()));
    }
    return remarks;
}

}  // namespace

FleetQuantiles quantiles_of(std::vector<double> values) {
    std::ranges::sort(values);
    FleetQuantiles made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
        const double at = fleet_quantile_shares[i] * static_cast<double>(values.size() - 1);
        const auto low = static_cast<std::size_t>(at);
        const std::size_t high = std::min(low + 1, values.size() - 1);
        made[i] = std::lerp(values[low], values[high], at - static_cast<double>(low));
    }
    return made;
}

double outlier_limit(std::size_t count, std::size_t peers) {
    const double tail = fleet_error / (2 * static_cast<double>(count));
    return student_quantile(1 - tail, static_cast<double>(peers) - 2);
}

std::size_t FleetReport::missing_devices() const {
    return std::accumulate(
        missing.begin(), missing.end(), std::size_t{0},
        [](std::size_t sum, const FleetMissing& one) { return sum + one.expected - one.found; });
}

FleetValues speeds_of(const FleetRecords& fleet) {
    FleetValues speeds;
    for (const auto& [which, seconds] : fleet.figures) {
        if (!fleet.devices[which[0]].is_busy()) speeds[which] = -median_of(seconds);
    }
    return speeds;
}

std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, double>>>
by_peers_and_case(const FleetValues& values) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, double>>>
        made;
    for (const auto& [which, value] : values) {
        made[{which[1], which[2]}].emplace_back(which[0], value);
    }
    return made;
}

std::vector<FleetFigure> device_figures(const FleetRecords& fleet, const FleetValues& values) {
    std::map<std::tuple<std::uint32_t, FleetClass, std::uint32_t>, std::vector<double>> apart;
    for (const auto& [which, of_case] : by_peers_and_case(values)) {
        if (of_case.size() < least_peers) continue;
        std::vector<double> plain;
        for (const auto& [device, value] : of_case) plain.push_back(value);
        const double middle = median_of(std::move(plain));
        for (const auto& [device, value] : of_case) {
            apart[{which.first, fleet.cases[which.second].kind, device}].push_back(value - middle);
        }
    }
    std::vector<FleetFigure> figures;
    for (auto& [which, deviations] : apart) {
        const auto [peers, kind, device] = which;
        figures.push_back({.devices = {device},
                           .peers = peers,
                           .kind = kind,
                           .deviation = median_of(deviations),
                           .cases = deviations.size()});
    }
    return figures;
}

std::vector<FleetFigure> node_figures(const FleetRecords& fleet,
                                      const std::vector<FleetFigure>& devices) {
    std::map<std::tuple<std::uint32_t, FleetClass, std::string>, std::vector<const FleetFigure*>>
        nodes;
    for (const FleetFigure& one : devices) {
        const std::string& host = fleet.devices[one.devices.front()].host;
        if (!host.empty()) nodes[{one.peers, one.kind, host}].push_back(&one);
    }
    std::vector<FleetFigure> figures;
    for (const auto& [which, on_node] : nodes) {
        if (on_node.size() < 2) continue;  // it would be judged twice
        FleetFigure figure{.peers = std::get<0>(which), .kind = std::get<1>(which)};
        std::vector<double> deviations;
        for (const FleetFigure* one : on_node) {
            figure.devices.push_back(one->devices.front());
            deviations.push_back(one->deviation);
            figure.cases = std::max(figure.cases, one->cases);
        }
        fleet.sort(figure.devices);
        // One slow device of two makes no slow node: there the nearer one speaks for it.
        figure.deviation =
            deviations.size() == 2
                ? std::ranges::min(deviations, {}, [](double one) { return std::fabs(one); })
                : median_of(std::move(deviations));
        figures.push_back(std::move(figure));
    }
    return figures;
}

std::size_t judge_figures(std::vector<FleetFigure>& devices, std::vector<FleetFigure>& nodes) {
    struct Group {
        std::vector<FleetFigure*> figures;
        double least_apart, least_sigma;
    };
    std::map<std::tuple<bool, std::uint32_t, FleetClass>, Group> groups;
    for (const bool is_node : {false, true}) {
        const double share = is_node ? 0.5 : 1;
        for (FleetFigure& one : is_node ? nodes : devices) {
            Group& group = groups[{is_node, one.peers, one.kind}];
            group.figures.push_back(&one);
            group.least_apart = share * least_deviation;
            group.least_sigma = share * least_spread;
        }
    }
    std::erase_if(groups, [](const auto& one) { return one.second.figures.size() < least_peers; });
    std::size_t judged = 0;
    for (const auto& [which, group] : groups) judged += group.figures.size();
    for (auto& [which, group] : groups) {
        std::vector<double> values;
        for (const FleetFigure* one : group.figures) values.push_back(one->deviation);
        const double middle = median_of(values);
        for (double& value : values) value = std::fabs(value - middle);
        const double sigma = std::max(normal_mad * median_of(std::move(values)), group.least_sigma);
        const double limit = outlier_limit(judged, group.figures.size());
        for (FleetFigure* one : group.figures) {
            one->deviation -= middle;
            one->z = one->deviation / sigma;
            one->limit = limit;
            const double share = std::fabs(std::expm1(one->deviation));
            one->is_outlier = std::fabs(one->z) > limit && share > group.least_apart;
        }
    }
    return judged;
}

FleetReport judge_fleet(const FleetRecords& fleet,
                        const std::optional<FleetExpectation>& expectation) {
    FleetReport report;
    report.troubles = troubles_of(fleet);
    report.busy = fleet.in_place();
    std::erase_if(report.busy, [&](std::uint32_t i) { return !fleet.devices[i].is_busy(); });
    report.has_expectation = expectation.has_value();
    if (expectation) {
        find_missing(fleet, *expectation, report);
    } else {
        find_fewer(fleet, report);
    }
    const FleetValues speeds = speeds_of(fleet);
    report.devices = device_figures(fleet, speeds);
    report.nodes = node_figures(fleet, report.devices);
    report.judged = judge_figures(report.devices, report.nodes);
    report.differences = differences_of(fleet);
    report.spreads = spreads_of(speeds);
    report.ratios = ratios_of(fleet, speeds);
    for (std::string& remark : remarks_of(fleet)) report.remarks.push_back(std::move(remark));
    return report;
}

}  // namespace parallax
