// Tables, bars and claims of a sweep in text and Markdown.
#include "report/sweep/sweep_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/curve.hpp"
#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
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

std::vector<Bar> bars_of(const SweepResult& result, const SweepDevice& device) {
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < device.cells.size(); ++i) {
        const SweepCell& cell = device.cells[i];
        const std::string mark = mark_of(device, i);
        bars.push_back({.label = result.points.label(result.points.points[i]),
                        .value = result.figure(cell),
                        .text = cell.ran()
                                    ? result.figure_text(cell) + (mark.empty() ? "" : "  " + mark)
                                    : cell.status});
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

/// Of a point on a device: time, its interval, figure, share and mark, and occupancy where it is
/// asked for; the status alone where it did not run.
std::vector<std::string> cells_of_point(const SweepResult& result, const SweepDevice& device,
                                        std::size_t point) {
    const SweepCell& cell = device.cells[point];
    std::vector<std::string> cells{cell.status, "", "", "", ""};
    if (cell.ran()) {
        cells = {
            duration(cell.seconds),
            cell.has_interval ? fmt::format("±{:.1f} %", 50 * (cell.high - cell.low) / cell.seconds)
                              : "n=1",
            result.by_time ? "" : result.figure_text(cell),
            cell.share > 0 ? fmt::format("{:.0f} % of {}", 100 * cell.share, cell.share_of) : "",
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
        const auto bars = [&result, &device, most](std::size_t width, const Paint&) {
            return fmt::format(
                "  {}\n{}", printable(device.id),
                bars_text(bars_of(result, device), most, static_cast<unsigned>(width), 2));
        };
        all.blocks.emplace_back(Section{.title = {}, .blocks = {TerminalPart{bars}}});
    }
    for (const auto& lines : {result.claims(), result.differences(), result.remarks()}) {
        Section said{.title = {}};
        for (const std::string& line : lines) said.say(printable(line));
        if (!said.empty()) all.blocks.emplace_back(std::move(said));
    }
    return {.title = {}, .blocks = {std::move(all)}};
}

}  // namespace parallax
