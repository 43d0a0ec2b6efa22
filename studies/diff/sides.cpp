// Selects the records of each side from result files.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "studies/diff/pairing.hpp"
#include "studies/diff/stored_diff.hpp"

namespace parallax {
namespace {

/// Whether `word` (`backend`, `backend:index`, `backend:part of the name`) names the record's
/// device.
bool names(std::string_view word, const Record& record) {
    const std::size_t colon = word.find(':');
    if (word.substr(0, colon) != record.where.backend) return false;
    if (colon == std::string_view::npos) return true;
    const std::string_view rest = word.substr(colon + 1);
    const bool digits =
        !rest.empty() && std::ranges::all_of(rest, [](char c) { return c >= '0' && c <= '9'; });
    if (digits) return word == record.device;
    return lower_case(record.where.name).find(lower_case(rest)) != std::string::npos;
}

/// `opencl:1 (NVIDIA H100)`, each once.
std::vector<std::string> devices_in(const ResultSet& set) {
    std::vector<std::string> devices;
    for (const Record& record : set.records) {
        add_once(devices, fmt::format("{} ({})", record.device, record.where.name));
    }
    return devices;
}

std::vector<const Record*> first_of_each_device(const ResultSet& set) {
    std::vector<const Record*> firsts;
    for (const Record& record : set.records) {
        const bool known = std::ranges::any_of(
            firsts, [&](const Record* first) { return first->device == record.device; });
        if (!known) firsts.push_back(&record);
    }
    return firsts;
}

/// The first two entries that are one physical device; none: empty.
std::vector<std::string> two_of_one(const std::vector<const Record*>& devices) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
        for (std::size_t j = i + 1; j < devices.size(); ++j) {
            if (one_physical_device(devices[i]->where, devices[j]->where)) {
                return {devices[i]->device, devices[j]->device};
            }
        }
    }
    return {};
}

/// The devices of A and B of every live diff in the set that `devices` leaves.
std::set<std::pair<std::string, std::string>> live_diffs(const ResultSet& set,
                                                         const std::vector<std::string>& devices) {
    std::map<std::string, std::pair<std::string, std::string>> by_run;
    for (const Record& record : set.records) {
        if (record.side == 0) continue;
        const std::string word = devices.empty()      ? ""
                                 : record.side == 'a' ? devices.front()
                                                      : devices.back();
        if (!word.empty() && !names(word, record)) continue;
        auto& [a, b] = by_run[record.run.id];
        (record.side == 'a' ? a : b) = record.device;
    }
    std::set<std::pair<std::string, std::string>> diffs;
    for (const auto& [run, pair] : by_run) {
        if (!pair.first.empty() && !pair.second.empty()) diffs.insert(pair);
    }
    return diffs;
}

SideSet side_from(const ResultSet& set, const std::string& device) {
    SideSet side{set.name, {}};
    for (const Record& record : set.records) {
        if (device.empty() || names(device, record)) side.records.push_back(&record);
    }
    if (side.records.empty()) {
        throw UsageError(fmt::format("'{}' names no device in {}. There are: {}.", device, set.name,
                                     fmt::join(devices_in(set), ", ")));
    }
    return side;
}

/// Sides that are two kernels have their names.
void name_kernels(Sides& sides) {
    const auto two = std::ranges::find_if(
        sides.b.records, [](const Record* one) { return !one->compared_with.empty(); });
    if (two == sides.b.records.end()) return;
    const std::string a = (*two)->compared_with, b = (*two)->key.variant;
    const bool are_many = std::ranges::any_of(sides.b.records, [&](const Record* one) {
        return !one->compared_with.empty() && one->key.variant != b;
    });
    if (are_many) return;
    const bool is_one_device = sides.a.name == sides.b.name;
    sides.a.name = is_one_device ? a : fmt::format("{} on {}", a, sides.a.name);
    sides.b.name = is_one_device ? b : fmt::format("{} on {}", b, sides.b.name);
}

}  // namespace

Sides sides_of(const ResultSet& a, const ResultSet& b, const std::vector<std::string>& devices) {
    Sides sides;
    sides.a = side_from(a, devices.empty() ? "" : devices.front());
    sides.b = side_from(b, devices.empty() ? "" : devices.back());
    return sides;
}

bool holds_two_sides(const ResultSet& set) {
    const auto devices = first_of_each_device(set);
    return std::ranges::any_of(set.records, [](const Record& r) { return r.side != 0; }) ||
           !two_of_one(devices).empty();
}

Sides sides_within(const ResultSet& set, const std::vector<std::string>& devices) {
    Sides sides;
    sides.live = std::ranges::any_of(set.records, [](const Record& r) { return r.side != 0; });
    std::vector<std::string> chosen = devices;
    if (sides.live) {
        const std::set<std::pair<std::string, std::string>> diffs = live_diffs(set, devices);
        const std::set<std::pair<std::string, std::string>> all = live_diffs(set, {});
        if (diffs.size() > 1 || (diffs.empty() && !all.empty())) {
            std::vector<std::string> list;
            for (const auto& [a, b] : diffs.empty() ? all : diffs)
                list.push_back(fmt::format("{} against {}", a, b));
            throw UsageError(fmt::format(
                "{} holds {}. There are: {}. Choose one: -d A -d B, in this order.", set.name,
                diffs.empty() ? fmt::format("no live diff of {}", fmt::join(devices, " against "))
                              : "several live diffs",
                fmt::join(list, "; ")));
        }
        for (const Record& record : set.records) {
            if (diffs.empty()) continue;
            const auto& [a, b] = *diffs.begin();
            if (record.side == 0 && record.key.suite == ceiling_suite) {
                if (record.device == a) sides.a.ceilings.push_back(&record);
                if (record.device == b) sides.b.ceilings.push_back(&record);
            }
            if (record.side == 'a' && record.device == a) sides.a.records.push_back(&record);
            if (record.side == 'b' && record.device == b) sides.b.records.push_back(&record);
        }
    } else {
        if (chosen.empty()) chosen = two_of_one(first_of_each_device(set));
        if (chosen.size() == 2) {
            sides.a = side_from(set, chosen[0]);
            sides.b = side_from(set, chosen[1]);
        }
    }
    if (sides.a.records.empty() || sides.b.records.empty()) {
        throw UsageError(fmt::format(
            "{} alone does not hold two sides of one physical device to compare. It holds: {}. "
            "Name a second file, or two of its devices with -d A -d B.",
            set.name, fmt::join(devices_in(set), ", ")));
    }
    sides.a.name = sides.a.records.front()->device;
    sides.b.name = sides.b.records.front()->device;
    for (const Pair& pair : set.pairs) {
        const bool of_a = pair.a == sides.a.name, of_b = pair.b == sides.b.name;
        if (pair.self && pair.planted == 0 && (of_a || of_b)) sides.self.push_back(&pair);
        if (!pair.self && of_a && of_b) sides.pairs.push_back(&pair);
    }
    for (const Explanation& line : set.explanations) {
        if (line.device.a == sides.a.name && line.device.b == sides.b.name) {
            sides.explanations.push_back(&line);
        }
    }
    name_kernels(sides);
    if (sides.live && sides.a.name == sides.b.name) sides.b.name += " again";
    return sides;
}

}  // namespace parallax
