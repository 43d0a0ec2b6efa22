// Data as text of a page, and lines of code that are safe to show.
#pragma once

#include <string>
#include <string_view>

namespace parallax {

/// Data as text or as an attribute's value in double quotes, in HTML and in XML.
std::string html_text(std::string_view text);

/// A line with tabs as blanks and control characters spelt out.
/// @param column  at which it begins, for tabs
std::string shown_line(std::string_view line, std::size_t column = 0);
/// All lines of a text so, each with an end.
std::string shown_lines(std::string_view text);

}  // namespace parallax
