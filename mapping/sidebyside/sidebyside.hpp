// Two kernel texts next to each other as data: which words differ, and which rows made them.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/translate/translate.hpp"

namespace parallax {

/// A part of a line on both sides.
struct LinePart {
    std::string left, right;
    /// The rows that were applied to it, as indices into `SideBySide::reasons`. With none the part
    /// is the same on both sides, or both texts were written by hand.
    std::vector<std::size_t> reasons = {};
    bool differs() const { return left != right; }
    bool operator==(const LinePart&) const = default;
};

/// A line of each side that belong together.
struct LinePair {
    unsigned left = 0, right = 0;      ///< their numbers, from 1; 0: that side has no such line
    std::vector<LinePart> parts = {};  ///< one behind the other they are both lines, whole
    std::string left_text() const;
    std::string right_text() const;
    /// In more than blanks.
    bool differs() const;
};

/// A row of the mapping table that was applied, and where.
struct Reason {
    const Row* row = nullptr;
    std::vector<unsigned> lines = {};  ///< of the left text, each once
    bool changes = false;              ///< whether it wrote another word in one of them
    LinePart first = {};               ///< the first part that it changed
};

/// What became what by a reason: the row's own words, or, where a row is spelt alike on both sides
/// and wrote something else (`T`), the first such part.
LinePart words_of(const Reason&);

/// Two texts, line by line.
struct SideBySide {
    std::string left_title, right_title;
    std::vector<LinePair> lines;
    std::vector<Reason> reasons;  ///< those that change something first, by line
};

constexpr unsigned last_of_all = std::numeric_limits<unsigned>::max();

/// An OpenCL text and what the mapping table made of it: line n against line n, from `first_line`
/// to `last_line`. Every part that differs has a reason.
/// @param translation  made of `opencl`
SideBySide side_by_side(std::string_view opencl, const Translation& translation,
                        unsigned first_line = 1, unsigned last_line = last_of_all);

/// Two texts that were written by hand, of one language or of two. Lines that are the same but for
/// blanks stand against each other; between them the first against the first. Nothing has a reason.
SideBySide side_by_side(std::string_view left_title, std::string_view left,
                        std::string_view right_title, std::string_view right);

/// For a terminal: both texts under their titles with their numbers. Long lines are wrapped. A `|`
/// between the two marks lines that differ, `<` and `>` lines that only one side has. With colour
/// the words that differ are bold and cyan, those that are spelt alike and mean nearly the same are
/// underlined; without it nothing else marks them.
/// @param width  columns of the terminal; below 40 it counts as 40
/// @returns lines of at most `width` columns, without blanks at their ends; control characters are
/// spelt out
std::string text_of(const SideBySide&, unsigned width, bool colour);

/// For a terminal: every row that was applied once, with the numbers of its lines, its words, how
/// far they mean the same, and its reason. Empty where there is no reason.
/// @param width  columns of the terminal; below 40 it counts as 40
std::string reasons_text(const SideBySide&, unsigned width, bool colour);

/// Both texts as blocks of code, a table of the lines that differ, a table of the reasons.
std::string markdown_of(const SideBySide&);

/// A part of a page: a table of both texts, whose marked words have their reason as a title and are
/// links to it in the numbered list below. Its style is in report/page/texts.css, which
/// html_text_page() brings.
/// @param prefix  of the ids, for pages with several of these: letters and digits, then a letter
std::string html_of(const SideBySide&, std::string_view prefix = "");

/// `line 4`, `lines 4, 7 to 9`.
std::string lines_in_words(const std::vector<unsigned>& lines);

}  // namespace parallax
