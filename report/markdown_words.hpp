// Data as parts of GitHub's Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parallax::report {

/// Data as inline text that shows as it is, in Markdown and in HTML: what either could take for
/// markup is a character reference, and people, issues and addresses are not linked.
std::string escaped(std::string_view text);

/// The same for a cell of a table, which never stands at the start of a line, where figures and
/// signs make lists: `12. 3` and `-640 us` stay as they are.
std::string escaped_cell(std::string_view text);

/// `| a | b |` with a line end.
std::string row(const std::vector<std::string>& cells);
/// The head of a table and the line below it.
std::string head_row(const std::vector<std::string>& cells);

/// Lines as a block of code, between fences longer than any in it.
/// @param lines  each with its end
std::string fenced(std::string_view language, std::string_view lines);

}  // namespace parallax::report
