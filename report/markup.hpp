// Keeps data from being taken for HTML, XML or Markdown, and makes lines of code safe to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// Data as text or as an attribute's value in double quotes, in HTML and in XML.
std::string html_text(std::string_view text);

/// A line with tabs as blanks and control characters spelt out.
/// @param column  at which it begins, for tabs
std::string shown_line(std::string_view line, std::size_t column = 0);
/// All lines of a text so, each with an end.
std::string shown_lines(std::string_view text);

}  // namespace parallax

namespace parallax::report {

/// Data as inline text that is displayed literally, in Markdown and in HTML: characters of markup
/// become character references, and people, issues and addresses are not linked.
std::string escaped(std::string_view text);

/// The same for a cell of a table. A cell is never at the start of a line, where digits and signs
/// make lists: `12. 3` and `-640 us` stay as they are.
std::string escaped_cell(std::string_view text);

/// `| a | b |` with a line end.
std::string row(const std::vector<std::string>& cells);
/// The head of a table and the line below it.
std::string head_row(const std::vector<std::string>& cells);

/// Lines as a block of code, between fences longer than any in it.
/// @param lines  each with its end
std::string fenced(std::string_view language, std::string_view lines);

}  // namespace parallax::report
