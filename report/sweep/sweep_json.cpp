// Writes sweeps and predictions as JSON.
#include "report/sweep/sweep_json.hpp"

#include <nlohmann/json.hpp>

#include "report/json_text.hpp"

namespace parallax {
namespace {

Json number_or_unknown(const std::optional<std::uint32_t>& value) {
    return value ? Json(*value) : Json("unknown");
}

Json indices_json(const SweepPoints& points, const std::vector<std::size_t>& which) {
    Json list = Json::array();
    for (const std::size_t i : which) list.push_back(points.label(points.points[i]));
    return list;
}

Json cell_json(const SweepResult& result, const SweepCell& cell) {
    Json made{{"status", cell.status}, {"shape", cell.shape}};
    if (!cell.reason.empty()) made["reason"] = cell.reason;
    if (!cell.notes.empty()) made["notes"] = cell.notes;
    if (result.with_occupancy) {
        made["kernels"] = Json::array();
        for (const OccupancyPrediction& p : cell.kernels) made["kernels"].push_back(to_json(p));
    }
    if (!cell.ran()) return made;
    made["seconds"] = {{"median", cell.seconds}, {"low", cell.low}, {"high", cell.high}};
    made["figure"] = {
        {"value", result.figure(cell)}, {"low", result.least(cell)}, {"high", result.most(cell)}};
    if (cell.share > 0) made["share"] = {{"value", cell.share}, {"of", cell.share_of}};
    return made;
}

}  // namespace

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

Json to_json(const SweepResult& result) {
    const SweepPoints& points = result.points;
    Json axes = Json::array();
    for (const Axis& axis : points.axes) {
        Json labels = Json::array();
        for (const std::int64_t value : axis.values) labels.push_back(axis.label(value));
        axes.push_back({{"name", axis.name}, {"values", axis.values}, {"labels", labels}});
    }
    Json list = Json::array();
    for (const Point& point : points.points) {
        list.push_back({{"label", points.label(point)}, {"values", point.values}});
    }
    Json devices = Json::array();
    for (const SweepDevice& device : result.devices) {
        Json cells = Json::array();
        for (const SweepCell& cell : device.cells) cells.push_back(cell_json(result, cell));
        Json json{{"device", device.id}, {"name", device.name}, {"points", cells}};
        if (device.highest) {
            json["highest"] = {{"point", points.label(points.points[*device.highest])},
                               {"is_best", device.has_best()},
                               {"not_told_from", indices_json(points, device.tied)},
                               {"near", indices_json(points, device.near)}};
        }
        devices.push_back(std::move(json));
    }
    return {{"schema", "parallax.sweep"},
            {"version", 1},
            {"title", result.title()},
            {"suite", points.suite->name},
            {"variant", points.variant->name},
            {"type", name_of(points.type)},
            {"unit", result.by_time         ? "runs"
                     : result.by_operations ? "operations"
                                            : "bytes"},
            {"near_share", SweepResult::near_share},
            {"over", axes},
            {"points", list},
            {"devices", devices},
            {"claims", result.claims()},
            {"differences", result.differences()},
            {"remarks", result.remarks()}};
}

std::string sweep_json(const SweepResult& result) {
    return report::printed(to_json(result));
}

}  // namespace parallax
