// What the reports show, without layout: text, Markdown and the page draw the same grids and
// sentences.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "studies/diff/diff.hpp"

namespace parallax::report {

/// Columns of a text report at least.
inline constexpr std::size_t least_width = 60;

using Sentences = std::vector<std::string>;

/// A value between the ends of its interval, for a bar.
struct Range {
    double low = 0, value = 0, high = 0;
};

/// One cell. Its text is printable.
struct Cell {
    std::string text;
    std::optional<double> value = {};  ///< to sort by; nothing: by the text
    std::optional<Verdict> tone = {};  ///< whose colour it has
    std::optional<Range> range = {};   ///< drawn on the scale of its column
    std::string brief = {};            ///< the text where there is little room; empty: the text

    Cell() = default;
    Cell(const char* words) : text(words) {}
    Cell(std::string_view words) : text(words) {}
    Cell(std::string words, std::optional<double> number = {}, std::optional<Verdict> colour = {},
         std::optional<Range> bar = {})
        : text(std::move(words)), value(number), tone(colour), range(bar) {}
};

/// Where the bars of a column lie.
struct Scale {
    double low = 0, high = 1;            ///< at the ends
    double band_low = 0, band_high = 0;  ///< what lies between them is as good as `one`
    double one = 1;                      ///< has a line of its own
    bool logarithmic = false;
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
    std::string below = {};          ///< a sentence under it; may stand alone

    /// Takes out columns in which no cell has a text or a range.
    void drop_empty_columns();
};

/// A text that keeps its lines: a compiler's log, or where two texts differ.
struct TextLines {
    std::string heading;
    std::vector<std::string> lines = {};
    bool is_difference = false;  ///< lines begin with `- ` (A), `+ ` (B), or `  ` (both)
};

/// A part of a report under its title. It may hold any of these, and is left out where it is empty.
struct Section {
    std::string title;
    Sentences sentences = {};
    std::vector<Grid> grids = {};
    std::vector<TextLines> texts = {};
    bool is_open = false;  ///< what a reader came for: a page that folds sections shows it

    bool empty() const;
};

/// A row in one line, each cell behind the name of its column.
std::string spoken(const Grid&, const GridRow&);

/// A grid for a terminal: a table, or a paragraph for each row where a table is too wide.
/// @param width  columns, at least 60
std::string text_of(const Grid&, std::size_t width);
/// A grid for Markdown, with its notes as a last column where there is any.
std::string markdown_of(const Grid&);

}  // namespace parallax::report
