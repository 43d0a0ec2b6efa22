// An explanation as a line of a result file, and back.
#pragma once

#include "records/explanation.hpp"
#include "records/record.hpp"

namespace parallax {

/// The explanation as a line of JSON, with its answer in words; docs/record.md lists its members.
Json to_json(const Explanation&, const RunInfo&);

/// What the line was made of.
/// @param line  one that problems_of finds nothing wrong with. Classes of instructions that this
/// program does not know count as `other`.
Explanation explanation_of(const Json& line);

}  // namespace parallax
