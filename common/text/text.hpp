// Formats numbers, bars and tables for people.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// ASCII letters in lower case.
std::string lower_case(std::string_view);
/// `1.50 GiB`
std::string binary_size(std::uint64_t bytes);
/// Three significant digits with a unit: `12.3 ms`.
std::string duration(double seconds);
/// `9.87 GB/s`, `51.4 Top/s`: three or more significant digits of `per_second` with a unit prefix.
std::string rate(double per_second, std::string_view unit);
/// A bar of `share` (0 to 1, cut off there) of `width` columns, in eighths of a column.
std::string bar(double share, unsigned width);
/// Width of the text on a terminal (UTF-8; one column per character).
std::size_t columns_of(std::string_view);
/// At most `most` characters of any bytes, safe to print: control characters (C0, C1, DEL),
/// bidirectional controls, and bytes that are not UTF-8 are escaped (`
/// `, `\x1b`, `\u202e`), and `...` marks a cut.
std::string printable(std::string_view, std::size_t most = std::string_view::npos);
/// A text of several lines, safe to print: as `printable`, but line ends and tabs stay. JSON stays
/// JSON of the same value.
std::string harmless(std::string_view);
/// Words wrapped at `width` columns, each line after the first indented by `indent`; `taken`
/// columns of the first line are already used.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t taken = 0);

/// ` Did you mean 'run'?`, where exactly one name is nearest to the word (letters added, removed,
/// replaced or swapped, at most one for every three letters); empty otherwise.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// A table whose columns fit their widest cell, or the available width.
class Table {
public:
    enum class Align { left, right };

    /// Changes the appearance of a part of a cell, not its width.
    using Look = std::function<std::string(std::size_t column, const std::string& part)>;

    explicit Table(std::vector<Align> align) : align_(std::move(align)) {}
    /// @param note  a longer remark, in lines of its own below the row
    void add(std::vector<std::string> cells, std::string note = {}, Look look = {}) {
        rows_.push_back({std::move(cells), std::move(note), std::move(look)});
    }
    /// Lines that start with `indent` spaces, without trailing blanks. Where they exceed `width`,
    /// the widest cells are wrapped between words.
    std::string text(std::size_t indent = 0, std::size_t width = std::string::npos) const;
    /// Width of the widest line, with cells wrapped to fit `width` as far as their words allow.
    std::size_t columns(std::size_t indent, std::size_t width = std::string::npos) const;

private:
    bool is_right(std::size_t column) const {
        return column < align_.size() && align_[column] == Align::right;
    }
    std::vector<std::size_t> widths() const;
    std::vector<std::size_t> widths_within(std::size_t room) const;

    std::vector<Align> align_;
    struct Row {
        std::vector<std::string> cells;
        std::string note;
        Look look;
    };
    std::vector<Row> rows_;
};

/// `12.3 %`, three digits.
std::string percent(double share);

/// What follows a share of a peak rate that is none of its limit: ` (cached)` or ` (beyond it)`.
/// Empty up to 102 %.
std::string_view beyond_text(double share, bool in_cache);

/// The text without it.
inline std::string without_mark(std::string text) {
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    return text;
}

}  // namespace parallax
