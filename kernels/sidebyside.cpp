// Splits, wraps and pairs the lines of two texts.
#include "kernels/sidebyside.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace parallax {
namespace {

constexpr std::size_t tab_width = 4;

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        if (end == text.npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// Bytes of the character that begins at `at`: all continuation bytes of UTF-8 belong to it.
std::size_t character_bytes(std::string_view text, std::size_t at) {
    std::size_t bytes = 1;
    while (at + bytes < text.size() &&
           (static_cast<unsigned char>(text[at + bytes]) & 0xc0) == 0x80) {
        ++bytes;
    }
    return bytes;
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    for (std::size_t at = 0; at < text.size(); at += character_bytes(text, at)) ++columns;
    return columns;
}

/// Tabs become blanks, other control characters `?`: a terminal must not act on them.
std::string printable(std::string_view line) {
    std::string text;
    for (const char c : line) {
        if (c == '\t') {
            text.append(tab_width - columns_of(text) % tab_width, ' ');
        } else {
            text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
        }
    }
    while (text.ends_with(' ')) text.pop_back();
    return text;
}

/// Pieces of at most `width` columns, cut behind a blank where there is one; pieces after the first
/// are indented like the line and a little more.
std::vector<std::string> wrapped(std::string_view line, std::size_t width) {
    std::vector<std::string> pieces;
    const std::size_t own_indent = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t indent = std::min(own_indent + 4, width / 2);
    std::string piece;
    while (columns_of(piece) + columns_of(line) > width) {
        const std::size_t room = width - columns_of(piece);
        std::size_t end = 0, blank = 0;
        for (std::size_t columns = 0; columns < room; ++columns) {
            end += character_bytes(line, end);
            if (end < line.size() && line[end] == ' ' && end > own_indent) blank = end;
        }
        const std::size_t cut = blank > 0 ? blank : end;
        pieces.push_back(piece + std::string(line.substr(0, cut)));
        line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ', cut)));
        piece.assign(indent, ' ');
    }
    pieces.push_back(piece + std::string(line));
    return pieces;
}

/// Without blanks: a difference of layout alone is none.
std::string bare(std::string_view line) {
    std::string text;
    for (const char c : line) {
        if (c != ' ' && c != '\t' && c != '\r') text += c;
    }
    return text;
}

std::string padded(std::string text, std::size_t width) {
    const std::size_t columns = columns_of(text);
    if (columns < width) text.append(width - columns, ' ');
    return text;
}

void append_row(std::string& out, std::string row) {
    while (row.ends_with(' ')) row.pop_back();
    out += row + '\n';
}

}  // namespace

std::string side_by_side(std::string_view left_title, std::string_view left_text,
                         std::string_view right_title, std::string_view right_text, unsigned width,
                         unsigned first_line, unsigned last_line) {
    const auto left = lines_of(left_text), right = lines_of(right_text);
    const std::size_t first = std::max(first_line, 1U);
    const std::size_t last = std::min<std::size_t>(last_line, std::max(left.size(), right.size()));
    const std::size_t digits = std::to_string(std::max(last, first)).size();
    // number, blank, text, ` | `, number, blank, text
    const std::size_t column = (std::max<std::size_t>(width, 40) - 2 * (digits + 1) - 3) / 2;
    const std::string margin(digits + 1, ' ');

    std::string out;
    const auto titles = [&](std::string_view title) { return wrapped(printable(title), column); };
    const auto write = [&](const std::string& number, const std::string& a, char mark,
                           const std::string& b) {
        append_row(out, number + padded(a, column) + ' ' + mark + ' ' + number + b);
    };
    const auto write_all = [&](const std::string& number, const std::vector<std::string>& a,
                               char mark, const std::vector<std::string>& b) {
        for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
            write(k == 0 ? number : margin, k < a.size() ? a[k] : "", mark,
                  k < b.size() ? b[k] : "");
        }
    };
    write_all(margin, titles(left_title), ' ', titles(right_title));
    const std::string rule(column, '-');
    write(margin, rule, ' ', rule);
    for (std::size_t n = first; n <= last; ++n) {
        const bool in_left = n <= left.size(), in_right = n <= right.size();
        const std::string_view a = in_left ? left[n - 1] : std::string_view{};
        const std::string_view b = in_right ? right[n - 1] : std::string_view{};
        const char mark = !in_right ? '<' : !in_left ? '>' : bare(a) == bare(b) ? ' ' : '|';
        write_all(fmt::format("{:>{}} ", n, digits), wrapped(printable(a), column), mark,
                  wrapped(printable(b), column));
    }
    return out;
}

}  // namespace parallax
