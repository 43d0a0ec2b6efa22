// What grids say beside their cells.
#include "report/grid.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace parallax::report {

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
