// What a self-test found, for programs.
#include "report/selftest/selftest_json.hpp"

#include <nlohmann/json.hpp>

#include "report/json_text.hpp"

namespace parallax {
namespace {

Json counts_json(const VerdictCounts& c) {
    return {{"same", c.same},
            {"faster", c.faster},
            {"slower", c.slower},
            {"undecided", c.undecided},
            {"intervals_missed", c.missed}};
}

Json simulated_json(const std::vector<SimulatedRow>& rows) {
    Json list = Json::array();
    for (const SimulatedRow& row : rows) {
        Json one{{"what", row.what},
                 {"looks", row.careful ? careful_analyses : PairRule{}.interim_analyses}};
        one.update(counts_json(row.counts));
        one["wrong"] = row.counts.wrong;
        list.push_back(std::move(one));
    }
    return list;
}

Json clock_json(const SelfTestReport& report) {
    Json rows = Json::array();
    for (const SelfTestRow& row : report.rows) {
        Json lies = Json::array();
        for (std::size_t i = 0; i < lie_margins.size(); ++i) {
            lies.push_back({{"margin", lie_margins[i]}, {"lies", row.lies_at[i]}});
        }
        rows.push_back({{"kernel", row.title},
                        {"seconds", row.seconds},
                        {"launching", row.launching},
                        {"against_itself", counts_json(row.itself)},
                        {"lies_at", std::move(lies)},
                        {"worst_ratio", row.worst},
                        {"median_width", row.widest},
                        {"five_percent", counts_json(row.planted)}});
    }
    return {{"rows", std::move(rows)},
            {"measuring_seconds", report.measuring_seconds},
            {"out_of_time", report.out_of_time}};
}

}  // namespace

std::string selftest_json(const SelfTestFound& found, bool right) {
    Json devices = Json::array();
    for (const SelfTestFound::OnDevice& one : found.devices) {
        Json json{{"device", one.device}, {"name", one.name}};
        if (one.clock) json["clock"] = clock_json(*one.clock);
        if (one.gate) {
            json["gate"] = {{"planted", one.gate->planted},
                            {"noticed", one.gate->noticed},
                            {"untried", one.gate->untried},
                            {"missed", one.gate->missed},
                            {"ended_by", one.gate->ended_by}};
        }
        devices.push_back(std::move(json));
    }
    Json all{{"margin", found.margin}, {"devices", std::move(devices)}};
    if (!found.simulated.empty()) {
        all["simulated_trials"] = found.simulated_trials;
        all["simulated"] = simulated_json(found.simulated);
    }
    all["right"] = right;
    return report::printed(all);
}

}  // namespace parallax
