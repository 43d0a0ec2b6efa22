// A run as tests for CI.
#pragma once

#include <string>
#include <vector>

#include "records/record.hpp"

namespace parallax::report {

/// JUnit's XML: a test per record.
/// @param strict  doubtful and refused cases are failures
std::string run_junit(const std::vector<Record>&, bool strict);

}  // namespace parallax::report
