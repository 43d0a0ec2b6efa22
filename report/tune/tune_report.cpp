// Shows what a search found as text, Markdown and JSON.
#include "report/tune/tune_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/text/text.hpp"
#include "report/json_text.hpp"
#include "report/sweep/sweep_report.hpp"

namespace parallax {
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
    const bool has_own = result.own && device.cells[*result.own].ran();
    const auto own = has_own ? std::ranges::find(order, *result.own) - order.begin() : 0;
    if (order.size() > most_rows) order.resize(most_rows);
    if (has_own && static_cast<std::size_t>(own) >= order.size()) order.push_back(*result.own);
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
                 {"own", label(result.own)},
                 {"gain", result.gain() ? Json(*result.gain()) : Json(nullptr)},
                 {"strategy", name_of(result.strategy)},
                 {"seed", result.seed},
                 {"candidates", result.candidates},
                 {"tried", result.device().cells.size()},
                 {"refused", result.refused},
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
