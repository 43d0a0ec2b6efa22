// Tables, bars and claims of a sweep in text and Markdown.
#include "report/sweep/sweep_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "report/json_text.hpp"
#include "studies/occupancy/occupancy.hpp"

namespace parallax {
namespace {

std::string mark_of(const SweepDevice& device, std::size_t point) {
    if (device.highest != point) return {};
    const bool only = std::ranges::count_if(device.cells, &SweepCell::ran) == 1;
    return device.has_best() ? "best" : only ? "" : "highest";
}

/// `67108864`, and which points have another where they differ.
std::string sizes_of(const SweepDevice& device) {
    std::vector<std::string> sizes;
    for (const SweepCell& cell : device.cells) {
        if (!cell.shape.empty()) add_once(sizes, to_string(Shape{cell.shape}));
    }
    if (sizes.size() > 2) return fmt::format("{} to {}", sizes.front(), sizes.back());
    return fmt::format("{}", fmt::join(sizes, ", "));
}

/// @param most  the largest value of all devices, shown by a full bar
report::Grid bars_of(const SweepResult& result, const SweepDevice& device, double most) {
    report::Grid bars{.title = printable(device.id), .columns = {"", "", ""}, .is_picture = true};
    bars.columns[1].scale = report::Scale{.low = 0, .high = most > 0 ? most : 1};
    for (std::size_t i = 0; i < device.cells.size(); ++i) {
        const SweepCell& cell = device.cells[i];
        const std::string mark = mark_of(device, i);
        const double figure = result.figure(cell);
        bars.rows.push_back(
            {.cells = {printable(result.points.label(result.points.points[i])),
                       {"", {}, {}, report::Range{figure, figure, figure}},
                       cell.ran() ? result.figure_text(cell) + (mark.empty() ? "" : "  " + mark)
                                  : cell.status}});
    }
    return bars;
}

/// `64 of 64 warps, 100 % (registers); the API: the same`, of each kernel.
std::string occupancy_cell(const SweepCell& cell) {
    std::vector<std::string> texts;
    for (const OccupancyPrediction& p : cell.kernels) {
        std::string text = cell.kernels.size() > 1 ? p.kernel + ": " : "";
        text += p.predicted
                    ? fmt::format("{} ({})", in_words(*p.predicted), p.predicted->limited_by)
                    : "-";
        if (p.api_groups) {
            text += fmt::format("; the API: {}",
                                !p.predicted || p.differs() ? p.api_text() : "the same");
        }
        texts.push_back(std::move(text));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// Cells of a point on a device: time, its interval, result, share and mark, and occupancy where it
/// is requested; the status alone where it did not run.
std::vector<std::string> cells_of_point(const SweepResult& result, const SweepDevice& device,
                                        std::size_t point) {
    const SweepCell& cell = device.cells[point];
    std::vector<std::string> cells{cell.status, "", "", "", ""};
    if (cell.ran()) {
        cells = {duration(cell.seconds),
                 cell.has_interval
                     ? fmt::format("±{:.1f} %", 50 * (cell.high - cell.low) / cell.seconds)
                     : "n=1",
                 result.by_time ? "" : result.figure_text(cell),
                 cell.share > 0 ? fmt::format("{:.0f} % of {}{}", 100 * cell.share, cell.share_of,
                                              beyond_text(cell.share, cell.in_cache))
                                : "",
                 mark_of(device, point)};
    }
    if (result.with_occupancy) cells.push_back(occupancy_cell(cell));
    return cells;
}

}  // namespace

report::Grid sweep_grid(const SweepResult& result) {
    report::Grid grid{.title = "Points", .columns = {""}, .is_compared = true};
    for (const SweepDevice& device : result.devices) {
        grid.columns.push_back({printable(device.id), {}, true});
        for (const bool is_number : {true, true, true, false}) {
            grid.columns.emplace_back("", "", is_number);
        }
        if (result.with_occupancy) grid.columns.emplace_back("occupancy");
    }
    for (std::size_t i = 0; i < result.points.points.size(); ++i) {
        report::GridRow row{.cells = {printable(result.points.label(result.points.points[i]))}};
        for (const SweepDevice& device : result.devices) {
            for (const std::string& cell : cells_of_point(result, device, i)) {
                row.cells.emplace_back(printable(cell));
            }
        }
        grid.rows.push_back(std::move(row));
    }
    return grid;
}

report::Document sweep_document(const SweepResult& result) {
    using namespace report;
    Section all{.title = printable(result.title()),
                .blocks = {Paragraph{printable(result.points.variant->description)}}};
    double most = 0;
    for (const SweepDevice& device : result.devices) {
        all.say(fmt::format("{}: {}, size {}", printable(device.id), printable(device.name),
                            sizes_of(device)));
        for (const SweepCell& cell : device.cells) most = std::max(most, result.figure(cell));
    }
    Grid grid = sweep_grid(result);
    grid.title.clear();
    all.blocks.emplace_back(Section{.title = {}, .blocks = {std::move(grid)}});
    for (const SweepDevice& device : result.devices) {
        all.blocks.emplace_back(Section{.title = {}, .blocks = {bars_of(result, device, most)}});
    }
    for (const auto& lines : {result.claims(), result.differences(), result.remarks()}) {
        Section said{.title = {}};
        for (const std::string& line : lines) said.say(printable(line));
        if (!said.empty()) all.blocks.emplace_back(std::move(said));
    }
    return {.title = {}, .blocks = {std::move(all)}};
}

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

namespace {

/// Rows of a table: the fastest candidates, and the variant's own constants.
constexpr std::size_t most_rows = 10;

/// The result with these rows alone, the fastest first.
SweepResult fastest(const TuneResult& result) {
    const SweepResult& all = result.found;
    const SweepDevice& device = result.device();
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < device.cells.size(); ++i) {
        if (device.cells[i].ran()) order.push_back(i);
    }
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t i) { return all.figure(device.cells[i]); });
    const bool has_own = result.own() && device.cells[*result.own()].ran();
    const auto own = has_own ? std::ranges::find(order, *result.own()) - order.begin() : 0;
    if (order.size() > most_rows) order.resize(most_rows);
    if (has_own && static_cast<std::size_t>(own) >= order.size()) order.push_back(*result.own());
    SweepResult few = all;
    few.points.points.clear();
    few.devices.front().cells.clear();
    few.devices.front().highest.reset();
    for (const std::size_t i : order) {
        if (device.highest == i) few.devices.front().highest = few.points.points.size();
        few.points.points.push_back(all.points.points[i]);
        few.devices.front().cells.push_back(device.cells[i]);
    }
    return few;
}

std::string shape_text(const TuneResult& result) {
    for (const SweepCell& cell : result.device().cells) {
        if (!cell.shape.empty()) return to_string(Shape{cell.shape});
    }
    return "unknown";
}

}  // namespace

report::Document tune_document(const std::vector<TuneResult>& results) {
    using namespace report;
    Document document;
    for (const TuneResult& result : results) {
        Grid grid = sweep_grid(fastest(result));
        grid.title.clear();
        Section said{.title = {}};
        for (const std::string& line : result.sentences()) said.say(printable(line));
        document.blocks.emplace_back(Section{
            .title = printable(result.found.title()),
            .blocks = {List{{fmt::format("{}: {}, size {}", printable(result.device().id),
                                         printable(result.device().name), shape_text(result))}},
                       Section{.title = {}, .blocks = {std::move(grid)}}, std::move(said)}});
    }
    return document;
}

std::string tune_json(const std::vector<TuneResult>& results) {
    Json list = Json::array();
    for (const TuneResult& result : results) {
        const auto label = [&](std::optional<std::size_t> at) {
            return at ? Json(result.found.points.label(result.found.points.points[*at]))
                      : Json(nullptr);
        };
        Json one{{"device", result.device().id},
                 {"best", label(result.best())},
                 {"own", label(result.own())},
                 {"gain", result.gain() ? Json(*result.gain()) : Json(nullptr)},
                 {"strategy", name_of(result.strategy)},
                 {"seed", result.seed},
                 {"candidates", result.candidates},
                 {"tried", result.device().cells.size()},
                 {"refused", result.found.points.refused},
                 {"ended_by", result.end == Search::End::all      ? "all"
                              : result.end == Search::End::trials ? "trials"
                                                                  : "budget"},
                 {"sentences", result.sentences()},
                 {"search", to_json(result.found)}};
        list.push_back(std::move(one));
    }
    return report::printed(
        {{"schema", "parallax.tune"}, {"version", 1}, {"devices", std::move(list)}});
}

}  // namespace parallax
