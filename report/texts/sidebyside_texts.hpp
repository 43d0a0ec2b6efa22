// Two kernel sources next to each other in the formats that people read.
#pragma once

#include <string>
#include <string_view>

#include "mapping/sidebyside/line_changes.hpp"
#include "mapping/sidebyside/sidebyside.hpp"

namespace parallax {

/// For a terminal: both sources under their titles with line numbers. Long lines are wrapped. A `|`
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

/// Both sources as blocks of code, a table of the lines that differ, a table of the reasons.
std::string markdown_of(const SideBySide&);

/// A part of a page: a table of both sources, whose marked words have their reason as a title and
/// are links to it in the numbered list below; before it, folded, the prelude of the right source.
/// Its style is in `report/page/texts.css`, which html_text_page() brings.
/// @param prefix  of the ids, for pages with several of these: letters and digits, then a letter
std::string html_of(const SideBySide&, const std::string& prelude = "",
                    std::string_view prefix = "");

/// A text alone as a part of a page.
std::string html_code(std::string_view text);

/// Lines that begin with `-`, `+` or a blank, and a line `@@ -4,7 +4,9 @@` before each hunk; for a
/// terminal: control characters are spelt out.
std::string text_of(const Changes&, bool colour);
/// The same as a block of code of the language `diff`. Empty: there are no changes.
std::string markdown_of(const Changes&);
/// A part of a page: a table with the lines of both sources and their numbers. Its style is in
/// `report/page/texts.css`, which html_text_page() brings. Empty: there are no changes.
std::string html_of(const Changes&);

}  // namespace parallax
