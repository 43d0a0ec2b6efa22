// Tables as reports have them, without layout: all formats draw the same grids.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "studies/diff/diff.hpp"

namespace parallax::report {

using Sentences = std::vector<std::string>;

/// A value between the ends of its interval, for a bar.
struct Range {
    double low = 0, value = 0, high = 0;
};

/// One cell. Its text is printable.
struct Cell {
    /// `code` is of data, `name` of this program's own names; `markup` is Markdown already.
    enum class Style { plain, strong, code, name, markup };

    std::string text;
    std::optional<double> value = {};  ///< to sort by; nothing: by the text
    std::optional<Verdict> tone = {};  ///< whose colour it has
    std::optional<Range> range = {};   ///< drawn on the scale of its column
    Style style = Style::plain;

    Cell() = default;
    Cell(const char* words) : text(words) {}
    Cell(std::string_view words) : text(words) {}
    Cell(std::string words, std::optional<double> number = {}, std::optional<Verdict> colour = {},
         std::optional<Range> bar = {})
        : text(std::move(words)), value(number), tone(colour), range(bar) {}
    Cell(std::string words, Style look) : text(std::move(words)), style(look) {}
};

/// The scale of a column's bars.
struct Scale {
    double low = 0, high = 1;            ///< at the ends
    double band_low = 0, band_high = 0;  ///< values in between are as good as `one`; else a bar
                                         ///< begins at the left end
    double one = 1;                      ///< has a line of its own
    bool logarithmic = false;

    bool has_band() const { return band_low < band_high; }
};

struct Column {
    std::string name;
    std::string key = {};  ///< by which a report finds it; empty: the report draws all alike
    bool is_number = false;
    std::optional<Scale> scale = {};

    Column(const char* words) : name(words) {}
    Column(std::string words, std::string id = {}, bool number = false)
        : name(std::move(words)), key(std::move(id)), is_number(number) {}
};

struct GridRow {
    std::vector<Cell> cells;
    std::string note = {};               ///< a longer remark
    std::optional<Verdict> tone = {};    ///< of the whole row
    std::vector<std::string> tags = {};  ///< short words behind the first cell

    /// The first cell with its tags: `transpose/naive float [launching, cached]`.
    std::string title(std::string_view open, std::string_view close) const;
};

struct Grid {
    std::string title;
    std::vector<Column> columns;
    std::vector<GridRow> rows = {};  ///< none: the grid is left out
    std::string below = {};          ///< a sentence under it; may be the only content
    bool is_compared = false;        ///< its rows are: they stay a table, however wide
    bool is_picture = false;         ///< a terminal's replacement for a picture; Markdown leaves it
                                     ///< out

    /// Whether all that a column shows are bars on its scale.
    bool is_of_bars(std::size_t column) const;
    /// Takes out columns in which no cell has a text or a range.
    void drop_empty_columns();
};

}  // namespace parallax::report
