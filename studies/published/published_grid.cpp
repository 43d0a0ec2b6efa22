// Published figures as the grid that a document prints, and the same grid of today's records.
#include "studies/published/published_grid.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/published/published_cases.hpp"

namespace parallax::cli {
namespace {

constexpr std::string_view nothing = "-";

/// With the constants of the cell and of the figure.
std::vector<Constant> constants_of_cell(const PublishedGrid& grid, std::int64_t value,
                                        const PublishedGrid::Figure& figure) {
    std::vector<Constant> constants{{grid.constant, value}};
    constants.insert(constants.end(), figure.constants.begin(), figure.constants.end());
    return constants;
}

const Published* figure_at(const PublishedGrid& grid, const std::string& variant,
                           std::int64_t value, const std::string& figure) {
    const auto found = std::ranges::find_if(published(), [&](const Published& p) {
        return p.suite == grid.suite && p.variant == variant && p.figure == figure &&
               std::ranges::find(p.constants, Constant{grid.constant, value}) != p.constants.end();
    });
    return found == published().end() ? nullptr : &*found;
}

using Text = std::function<std::string(const PublishedGrid::Line&, std::int64_t value,
                                       const PublishedGrid::Figure&)>;

/// @param text  of one figure of a cell; empty: there is none
GridView filled(const PublishedGrid& grid, std::string title, const Text& text, bool& has_any) {
    std::vector<std::string> names;
    for (const auto& figure : grid.figures) names.push_back(figure.name);
    GridView view{.title = fmt::format("{}: {}, GFLOP/s", title, fmt::join(names, " / ")),
                  .head = {"version"},
                  .lines = {}};
    for (const std::int64_t value : grid.values) {
        view.head.push_back(fmt::format("{}={}", grid.constant, value));
    }
    has_any = false;
    for (const PublishedGrid::Line& line : grid.lines) {
        std::vector<std::string> cells{fmt::format("{} ({})", line.label, line.variant)};
        for (const std::int64_t value : grid.values) {
            std::vector<std::string> words;
            for (const auto& figure : grid.figures) {
                const std::string word = text(line, value, figure);
                has_any = has_any || !word.empty();
                words.push_back(word.empty() ? std::string(nothing) : word);
            }
            const bool is_empty =
                std::ranges::all_of(words, [](const std::string& word) { return word == nothing; });
            cells.push_back(is_empty ? std::string(nothing)
                                     : fmt::format("{}", fmt::join(words, " / ")));
        }
        view.lines.push_back(std::move(cells));
    }
    return view;
}

std::string gigaflops(const Today& today) {
    const double done = today.operations / today.seconds / 1e9;
    return done < 1000 ? fmt::format("{:.1f}", done) : fmt::format("{:.0f}", done);
}

}  // namespace

std::vector<GridView> grids_of(const PublishedGrid& grid, const TodaysRecords* records) {
    bool has_any = false;
    const GridView then = filled(
        grid, "published",
        [&](const PublishedGrid::Line& line, std::int64_t value, const auto& figure) {
            const Published* p = figure_at(grid, line.variant, value, figure.name);
            return p == nullptr ? "" : fmt::format("{:.1f}", p->value);
        },
        has_any);
    std::vector<GridView> grids{then};
    if (records == nullptr) return grids;
    const Suite& suite = suite_named(grid.suite);
    for (const TodaysRecords::Where& where : records->where()) {
        const auto today_at = [&](const PublishedGrid::Line& line, std::int64_t value,
                                  const PublishedGrid::Figure& figure) -> std::string {
            const Circumstances cell{&suite, &variant_named(suite, line.variant), grid.shape,
                                     constants_of_cell(grid, value, figure)};
            const Today* today = records->best(cell, where.device, where.backend);
            if (today == nullptr || !unusual(*today, cell).empty()) return {};
            if (today->status != Status::ok) return std::string(name_of(today->status));
            const std::string text = gigaflops(*today);
            return today->shape.extents == grid.shape
                       ? text
                       : fmt::format("{} at {}", text, to_string(today->shape));
        };
        GridView today = filled(grid, title_of(where), today_at, has_any);
        if (has_any) grids.push_back(std::move(today));
    }
    return grids;
}

std::vector<Circumstances> cells_of(const PublishedGrid& grid) {
    const Suite& suite = suite_named(grid.suite);
    std::vector<Circumstances> cells;
    for (const PublishedGrid::Figure& figure : grid.figures) {
        for (const std::int64_t value : grid.values) {
            for (const PublishedGrid::Line& line : grid.lines) {
                // What was not published is not missed.
                if (figure_at(grid, line.variant, value, figure.name) == nullptr) continue;
                cells.push_back({&suite, &variant_named(suite, line.variant), grid.shape,
                                 constants_of_cell(grid, value, figure)});
            }
        }
    }
    return cells;
}

}  // namespace parallax::cli
