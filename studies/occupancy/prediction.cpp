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

std::vector<OccupancyPrediction> predictions_of(const Record& record) {
    std::vector<OccupancyPrediction> list;
    for (const LaunchRecord& launch : record.launches) {
        const bool known =
            std::ranges::find(list, launch.name, &OccupancyPrediction::kernel) != list.end();
        if (known || !launch.resources) continue;
        OccupancyPrediction& p = list.emplace_back(
            OccupancyPrediction{.kernel = launch.name,
                                .items = launch.items.product(),
                                .registers = launch.resources->registers,
                                .local_bytes = launch.resources->local_bytes,
                                .api_groups = launch.resources->groups_per_unit});
        if (p.local_bytes) *p.local_bytes += static_cast<std::uint32_t>(launch.local_bytes);
        predict(p, record.where.compute_capability, record.device);
    }
    return list;
}

}  // namespace parallax
