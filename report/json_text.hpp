// JSON as every report prints it, and its values as lines of CSV.
#pragma once

#include <string>
#include <vector>

#include "records/json_fwd.hpp"

namespace parallax::report {

/// Indented, with the end of its last line. It is ASCII, since control characters beyond it steer
/// terminals, too.
std::string printed(const Json&);
/// The same on one line.
std::string printed_line(const Json&);

/// A line of a table for spreadsheets and data frames, as RFC 4180 says. A text that a spreadsheet
/// would take for a formula gets an apostrophe, and what a terminal obeys is escaped.
std::string csv_line(const std::vector<Json>&);

}  // namespace parallax::report
