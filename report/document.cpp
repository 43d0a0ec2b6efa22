// Properties of sections and grids.
#include "report/document.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace parallax::report {
namespace {

struct IsEmpty {
    bool operator()(const List& list) const { return list.items.empty(); }
    bool operator()(const Warnings& warnings) const { return warnings.items.empty(); }
    bool operator()(const Grid& grid) const { return grid.rows.empty() && grid.below.empty(); }
    bool operator()(const Texts& texts) const { return texts.items.empty(); }
    bool operator()(const Section& section) const { return section.empty(); }
    bool operator()(const auto&) const { return false; }
};

}  // namespace

void Section::say(std::string sentence) {
    List* const last = blocks.empty() ? nullptr : std::get_if<List>(&blocks.back());
    List& list = last ? *last : std::get<List>(blocks.emplace_back(List{}));
    list.items.push_back(std::move(sentence));
}

bool Section::empty() const {
    return std::ranges::all_of(blocks,
                               [](const Block& block) { return std::visit(IsEmpty{}, block); });
}

std::string GridRow::title(std::string_view open, std::string_view close) const {
    if (tags.empty()) return cells.front().text;
    return fmt::format("{} {}{}{}", cells.front().text, open, fmt::join(tags, ", "), close);
}

bool Grid::is_of_bars(std::size_t column) const {
    return columns[column].scale && std::ranges::all_of(rows, [column](const GridRow& one) {
               return one.cells[column].text.empty();
           });
}

void Grid::drop_empty_columns() {
    for (std::size_t i = columns.size(); i-- > 0;) {
        const auto is_empty = [i](const GridRow& one) {
            return one.cells[i].text.empty() && !one.cells[i].range;
        };
        if (!std::ranges::all_of(rows, is_empty)) continue;
        const auto place = static_cast<std::ptrdiff_t>(i);
        columns.erase(columns.begin() + place);
        for (GridRow& one : rows) one.cells.erase(one.cells.begin() + place);
    }
}

}  // namespace parallax::report
