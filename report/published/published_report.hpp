// Rows of what was published, then and now: for a terminal, as Markdown and as JSON.
#pragma once

#include <string>
#include <vector>

#include "studies/published/then_and_now.hpp"

namespace parallax {

enum class PublishedFormat { text, markdown, json };

/// The rows by name, with their titles, and what became of every claim at every place. As JSON all
/// rows whole.
std::string published_overview(const std::vector<ThenAndNow>&, PublishedFormat);

/// Each row whole.
/// @param all  whether these are all rows: then what became of every claim is shown, too
std::string published_page(const std::vector<ThenAndNow>&, bool all, PublishedFormat);

}  // namespace parallax
