// Holds the occupancy calculator against the API.
#include "studies/occupancy/prediction.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace parallax {
namespace {

std::string groups_text(std::uint32_t groups) {
    return fmt::format("{} group{}", groups, groups == 1 ? "" : "s");
}

Json number_or_unknown(const std::optional<std::uint32_t>& value) {
    return value ? Json(*value) : Json("unknown");
}

std::optional<std::uint32_t> number_at(const Json& json, const char* name) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number_integer()) return {};
    return found->get<std::uint32_t>();
}

}  // namespace

std::string OccupancyPrediction::prediction_text() const {
    if (!predicted) return "-";
    return fmt::format("{}, {}", groups_text(predicted->groups), in_words(*predicted));
}

std::string OccupancyPrediction::api_text() const {
    if (!api_groups) return "-";
    return groups_text(*api_groups) + (!predicted ? "" : differs() ? ", DIFFERS" : ", the same");
}

void predict(OccupancyPrediction& p, const std::string& capability, const std::string& where) {
    const auto limits = limits_of(capability);
    if (capability.empty()) {
        p.why_not = fmt::format(
            "{} has no compute capability, by which the limits of a multiprocessor are known: "
            "there is nothing to calculate with. 'parallax occupancy SUITE/VARIANT --capability "
            "9.0' compiles for one without a device.",
            where);
    } else if (!limits) {
        p.why_not = fmt::format(
            "The limits of compute capability {} are not known to this version. Known are: {}.",
            capability, fmt::join(known_capabilities(), ", "));
    } else if (!p.registers || !p.local_bytes) {
        p.why_not = fmt::format("The compiler for {} did not say how {} the kernel needs.", where,
                                p.registers ? "much local memory" : "many registers");
    } else {
        p.predicted = occupancy_of(*limits, *p.registers, *p.local_bytes, p.items);
    }
}

std::vector<OccupancyPrediction> predictions_of(const BuiltCase& made) {
    std::vector<OccupancyPrediction> list;
    for (const BuiltKernel& built : made.kernels) {
        if (!built.resources) continue;
        OccupancyPrediction& p =
            list.emplace_back(OccupancyPrediction{.kernel = built.kernel,
                                                  .items = built.geometry.items.product(),
                                                  .registers = built.resources->registers,
                                                  .local_bytes = built.resources->local_bytes,
                                                  .api_groups = built.groups_per_unit});
        if (p.local_bytes) *p.local_bytes += static_cast<std::uint32_t>(built.local_bytes);
        predict(p, made.capability, made.where);
    }
    return list;
}

std::vector<OccupancyPrediction> predictions_of(const StoredRecord& record) {
    std::vector<OccupancyPrediction> list;
    for (const Json& launch : record.launches) {
        const auto resources = launch.find("resources");
        const std::string name = launch["name"];
        const bool known =
            std::ranges::find(list, name, &OccupancyPrediction::kernel) != list.end();
        if (known || resources == launch.end()) continue;
        std::uint64_t items = 1;
        for (const Json& extent : launch["items"]) items *= extent.get<std::uint64_t>();
        OccupancyPrediction& p = list.emplace_back(
            OccupancyPrediction{.kernel = name,
                                .items = items,
                                .registers = number_at(*resources, "registers"),
                                .local_bytes = number_at(*resources, "local_bytes"),
                                .api_groups = number_at(*resources, "groups_per_unit")});
        if (p.local_bytes) *p.local_bytes += number_at(launch, "local_bytes").value_or(0);
        const std::string& capability = record.fact("compute_capability");
        predict(p, capability == "unknown" ? "" : capability, record.device);
    }
    return list;
}

Json to_json(const OccupancyPrediction& p) {
    Json json{{"kernel", p.kernel},
              {"items", p.items},
              {"registers", number_or_unknown(p.registers)},
              {"local_bytes", number_or_unknown(p.local_bytes)},
              {"api_groups", number_or_unknown(p.api_groups)}};
    if (p.predicted) {
        json["groups"] = p.predicted->groups;
        json["warps"] = p.predicted->warps;
        json["most_warps"] = p.predicted->most_warps;
        json["occupancy"] = p.predicted->share();
        json["limited_by"] = p.predicted->limited_by;
    } else {
        json["why_not"] = p.why_not;
    }
    return json;
}

}  // namespace parallax
