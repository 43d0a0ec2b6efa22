// JSON as every report prints it.
#pragma once

#include <string>

#include "records/json_fwd.hpp"

namespace parallax::report {

/// Indented, with the end of its last line. It is ASCII, since control characters beyond it steer
/// terminals, too.
std::string printed(const Json&);
/// The same on one line.
std::string printed_line(const Json&);

}  // namespace parallax::report
