// Rows of the map for a terminal and for a page.
#pragma once

#include <span>
#include <string>

#include "mapping/search/search_answer.hpp"

namespace parallax::cli {

/// Rows as lines of at most `width` columns, each topic with its heading.
/// @param codes  how many of the first rows show this program's own lines as well
std::string rows_as_text(std::span<const Found> rows, std::size_t width, std::size_t codes);

/// The line that was named, and the one of the other language.
std::string line_as_text(const NamedLine&, std::size_t width);

/// Rows as tables of a page in HTML, each topic with its heading.
std::string rows_as_html(std::span<const Found> rows);

/// Rows as tables of Markdown, each topic with its heading. Links go from the folder docs.
std::string rows_as_markdown(std::span<const Found> rows);

}  // namespace parallax::cli
