// The reports of a search for better constants.
#pragma once

#include <string>
#include <vector>

#include "studies/tune/tune.hpp"

namespace parallax {

/// For each device what was found, and a table of the fastest candidates.
/// @param width  columns, at least 60
std::string tune_text(const std::vector<TuneResult>&, unsigned width);

/// The same for a page of documents.
std::string tune_markdown(const std::vector<TuneResult>&);

/// docs/reference/reports.md lists its members.
std::string tune_json(const std::vector<TuneResult>&);

}  // namespace parallax
