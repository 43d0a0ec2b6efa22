// Draws grids for a terminal and for Markdown.
#include "report/grid.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/text.hpp"
#include "report/markdown_words.hpp"
#include "report/words.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t least_first_column = 12;

std::string indented(std::string_view text, std::size_t width, std::size_t indent) {
    return std::string(indent, ' ') + wrapped(text, width, indent, indent) + "\n";
}

/// What is too wide for a table: a paragraph for each row.
std::string paragraphs_of(const Grid& grid, std::size_t width) {
    std::string out;
    for (const GridRow& one : grid.rows) {
        out += indented(spoken(grid, one), width, 2);
        if (!one.note.empty()) out += indented(one.note, width, 6);
    }
    return out;
}

std::string line_of(const Grid& grid, const std::vector<std::size_t>& columns, const GridRow* one) {
    std::string line = "  ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string cell =
            clipped_within(one ? one->cells[i].text : grid.columns[i].name, columns[i]);
        const std::string space(columns[i] - columns_of(cell), ' ');
        line += (grid.columns[i].is_number ? space + cell : cell + space) + "  ";
    }
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::string GridRow::title(std::string_view open, std::string_view close) const {
    if (tags.empty()) return cells.front().text;
    return fmt::format("{} {}{}{}", cells.front().text, open, fmt::join(tags, ", "), close);
}

std::string spoken(const Grid& grid, const GridRow& one) {
    std::vector<std::string> said;
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
        const std::string &text = one.cells[i].text, &name = grid.columns[i].name;
        if (!text.empty()) said.push_back(name.empty() ? text : name + " " + text);
    }
    return fmt::format("{}", fmt::join(said, ", "));
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

bool Section::empty() const {
    return sentences.empty() && texts.empty() && std::ranges::all_of(grids, [](const Grid& grid) {
               return grid.rows.empty() && grid.below.empty();
           });
}

std::string text_of(const Grid& grid, std::size_t width) {
    std::string below = grid.below.empty() ? "" : indented(grid.below, width, 2);
    if (grid.rows.empty()) return below;
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < grid.columns.size(); ++i) {
        columns.push_back(columns_of(grid.columns[i].name));
        for (const GridRow& one : grid.rows) {
            columns[i] = std::max(columns[i], columns_of(one.cells[i].text));
        }
    }
    std::size_t last = columns.size();  // behind it there is nothing to see
    while (last > 1 && columns[last - 1] == 0) --last;
    std::size_t rest = 2;
    for (std::size_t i = 1; i < last; ++i) rest += columns[i] + 2;
    if (rest + std::min(columns[0], least_first_column) > width) {
        return paragraphs_of(grid, width) + below;
    }
    columns[0] = std::min(columns[0], width - rest);
    std::string out = line_of(grid, columns, nullptr);
    for (const GridRow& one : grid.rows) {
        out += line_of(grid, columns, &one);
        if (!one.note.empty()) out += indented(one.note, width, 6);
    }
    return out + below;
}

std::string markdown_of(const Grid& grid) {
    std::string text;
    const bool noted =
        std::ranges::any_of(grid.rows, [](const GridRow& one) { return !one.note.empty(); });
    if (!grid.rows.empty()) {
        std::vector<std::string> head, rule;
        for (const Column& column : grid.columns) {
            head.push_back(escaped_cell(column.name));
            rule.emplace_back(column.is_number ? "---:" : "---");
        }
        if (noted) head.emplace_back();
        if (noted) rule.emplace_back("---");
        text += row(head) + row(rule);
        for (const GridRow& one : grid.rows) {
            std::vector<std::string> cells;
            for (const Cell& cell : one.cells) cells.push_back(escaped_cell(cell.text));
            if (noted) cells.push_back(escaped(one.note));
            text += row(cells);
        }
        text += "\n";
    }
    if (!grid.below.empty()) text += escaped(grid.below) + "\n\n";
    return text;
}

}  // namespace parallax::report
