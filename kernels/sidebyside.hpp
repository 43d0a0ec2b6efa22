// Two texts next to each other, line against line, for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace parallax {

/// Lines `first_line` to `last_line` of both texts (1 is the first; what a text lacks stays empty),
/// with their numbers, under the two titles. Long lines are wrapped. A `|` between the two marks
/// lines that differ in more than blanks, `<` and `>` lines that only one side has.
/// @param width  columns of the terminal; below 40 it counts as 40
/// @returns lines of at most `width` columns, without blanks at their ends
std::string side_by_side(std::string_view left_title, std::string_view left_text,
                         std::string_view right_title, std::string_view right_text, unsigned width,
                         unsigned first_line, unsigned last_line);

}  // namespace parallax
