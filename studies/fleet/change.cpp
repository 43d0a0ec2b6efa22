// Differences between a later set of records of a fleet and an earlier one.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/fleet/fleet_numbers.hpp"

namespace parallax {
namespace {

std::string place_key(const FleetDevice& device) {
    return fmt::format("{}\n{}\n{}", device.host, device.identity(),
                       device.pci.empty() && device.slot ? fmt::format("{}", *device.slot) : "");
}

/// For each device its earlier index: the same card in the same place, else the only card with that
/// UUID.
std::vector<std::optional<std::uint32_t>> matches_of(const FleetRecords& before,
                                                     const FleetRecords& now) {
    std::map<std::string, std::uint32_t> places;
    std::multimap<std::string, std::uint32_t> cards;
    for (std::uint32_t i = 0; i < before.devices.size(); ++i) {
        const FleetDevice& device = before.devices[i];
        places.emplace(place_key(device), i);
        if (!device.uuid.empty() && !device.pci.empty()) cards.emplace(device.uuid, i);
    }
    std::vector<std::optional<std::uint32_t>> matches(now.devices.size());
    std::set<std::uint32_t> taken;
    for (std::uint32_t i = 0; i < now.devices.size(); ++i) {
        const auto same = places.find(place_key(now.devices[i]));
        if (same == places.end()) continue;
        matches[i] = same->second;
        taken.insert(same->second);
    }
    for (std::uint32_t i = 0; i < now.devices.size(); ++i) {
        if (matches[i] || now.devices[i].pci.empty()) continue;
        if (cards.count(now.devices[i].uuid) != 1) continue;
        const std::uint32_t card = cards.find(now.devices[i].uuid)->second;
        if (taken.insert(card).second) matches[i] = card;
    }
    return matches;
}

std::string joined(const std::set<std::string>& values) {
    return fmt::format("{}", fmt::join(values, " and "));
}

/// Two sets of records of a fleet, and which of their devices and cases are the same.
class FleetComparison {
public:
    FleetComparison(const FleetRecords& before, const FleetRecords& now)
        : before_(before), now_(now), matches_(matches_of(before, now)) {
        for (std::uint32_t i = 0; i < before.cases.size(); ++i) {
            old_cases_[before.cases[i].identity + before.cases[i].backend] = i;
        }
    }

    FleetChange run() {
        compare_devices();
        compare_speeds();
        compare_answers();
        return std::move(change_);
    }

private:
    std::optional<std::uint32_t> old_case(std::uint32_t now_case) const {
        const FleetCase& one = now_.cases[now_case];
        const auto found = old_cases_.find(one.identity + one.backend);
        return found == old_cases_.end() ? std::nullopt : std::optional(found->second);
    }

    void compare_devices() {
        std::set<std::uint32_t> matched;
        std::map<std::array<std::string, 4>, std::vector<std::uint32_t>> facts;
        for (std::uint32_t i = 0; i < matches_.size(); ++i) {
            if (!matches_[i]) {
                change_.appeared.push_back(i);
                continue;
            }
            ++change_.compared;
            matched.insert(*matches_[i]);
            const FleetDevice &then = before_.devices[*matches_[i]], &device = now_.devices[i];
            for (const auto& [fact, values] : device.facts) {
                const auto old = then.facts.find(fact);
                if (old == then.facts.end() || old->second == values) continue;
                facts[{device.model, fact, joined(old->second), joined(values)}].push_back(i);
            }
            if (then.host != device.host) {
                facts[{device.model, "host", then.host, device.host}].push_back(i);
            }
        }
        for (auto& [what, devices] : facts) {
            change_.facts.push_back({what[0], what[1], what[2], what[3], std::move(devices)});
        }
        for (std::uint32_t i = 0; i < before_.devices.size(); ++i) {
            if (!matched.contains(i)) change_.disappeared.push_back(before_.devices[i]);
        }
        std::ranges::sort(change_.disappeared, before_in_place);
        now_.sort(change_.appeared);
    }

    /// The limit of a device may have changed: its peers are then different ones.
    FleetValues changed_speeds() const {
        std::map<std::pair<std::uint32_t, std::uint32_t>, double> old_speeds;
        for (const auto& [which, speed] : speeds_of(before_)) {
            old_speeds[{which[0], which[2]}] = speed;
        }
        FleetValues changes;
        for (const auto& [which, speed] : speeds_of(now_)) {
            const auto then = old_case(which[2]);
            if (!then || !matches_[which[0]]) continue;
            const auto old = old_speeds.find({*matches_[which[0]], *then});
            if (old != old_speeds.end()) changes[which] = speed - old->second;
        }
        return changes;
    }

    void compare_speeds() {
        const FleetValues changes = changed_speeds();
        for (const auto& [which, values] : by_peers_and_case(changes)) {
            std::vector<double> plain;
            for (const auto& [device, value] : values) plain.push_back(value);
            change_.cases.push_back(
                {which.first, which.second, values.size(), quantiles_of(std::move(plain))});
        }
        std::vector<FleetFigure> devices = device_figures(now_, changes);
        std::vector<FleetFigure> nodes = node_figures(now_, devices);
        judge_figures(devices, nodes);
        for (const std::vector<FleetFigure>* list : {&devices, &nodes}) {
            std::ranges::copy_if(*list, std::back_inserter(change_.figures),
                                 &FleetFigure::is_outlier);
        }
    }

    void compare_answers() {
        for (const auto& [which, all] : now_.answers) {
            const auto then = old_case(which.second);
            if (!then || !matches_[which.first]) continue;
            const auto old = before_.answers.find({*matches_[which.first], *then});
            if (old == before_.answers.end()) continue;
            const bool was_bad = before_.answers_of(old->first.first, old->first.second).is_bad();
            FleetAnswers answers = now_.answers_of(which.first, which.second);
            change_.cured += was_bad && !answers.is_bad();
            if (answers.is_bad() && !was_bad)
                change_.newly_wrong.push_back({which.first, which.second, std::move(answers)});
        }
    }

    const FleetRecords &before_, &now_;
    std::vector<std::optional<std::uint32_t>> matches_;  // by devices now
    std::map<std::string, std::uint32_t> old_cases_;
    FleetChange change_;
};

}  // namespace

bool FleetChange::Case::is_slower() const {
    return devices >= least_peers && std::expm1(speeds[3]) < -least_deviation;
}

FleetChange compare_fleets(const FleetRecords& before, const FleetRecords& now) {
    return FleetComparison(before, now).run();
}

}  // namespace parallax
