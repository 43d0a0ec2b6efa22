// What a Diff still holds as JSON, made into plain data. Beside diff_json.cpp, which passes it on,
// no other file of report/ reads it.
#pragma once

#include <optional>
#include <string>

#include "records/explanation.hpp"
#include "report/grid.hpp"

namespace parallax::report {

/// The answer of the case's explanation, printable; empty: none was made.
std::string why_of(const CaseDiff&);

/// The case's explanation; nothing: none was made, or it is not as docs/record.md says.
std::optional<Explanation> explanation_of(const CaseDiff&);

/// Geometry and resources of every launch on both sides.
Grid launches_grid(const CaseDiff&);

}  // namespace parallax::report
