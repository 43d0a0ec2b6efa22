// The reports of a search for better constants.
#pragma once

#include <string>
#include <vector>

#include "report/document.hpp"
#include "studies/tune/tune.hpp"

namespace parallax {

/// For each device what was found, and a table of the fastest candidates.
report::Document tune_document(const std::vector<TuneResult>&);

/// docs/reference/reports.md lists its members.
std::string tune_json(const std::vector<TuneResult>&);

}  // namespace parallax
