// Rows of what was published, then and now: for a terminal, as Markdown and as JSON.
#pragma once

#include <string>
#include <vector>

#include "studies/published/then_and_now.hpp"

namespace parallax {

enum class PublishedFormat { text, markdown, json };

/// The rows by name, with their titles, and what became of every claim at every place. As JSON all
/// rows whole.
/// @param width  columns of text; npos: its tables are not wrapped
std::string published_overview(const std::vector<ThenAndNow>&, PublishedFormat, std::size_t width);

/// Each row whole.
/// @param all  whether these are all rows: then what became of every claim is shown, too
/// @param width  as above
std::string published_page(const std::vector<ThenAndNow>&, bool all, PublishedFormat,
                           std::size_t width);

}  // namespace parallax
