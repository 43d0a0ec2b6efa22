// Variables of the environment that change what is measured: how fast, by which code, on which
// devices.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// Those that are set, by name, with their values as messages show them.
/// @param environment  `NAME=VALUE` each, a null after the last, as `environ`
std::map<std::string, std::string> measured_variables(const char* const* environment);

/// What those of a run do to the times on a device, and how to measure without it: a sentence or
/// two for each that does something. What only hides devices or is for another API does nothing.
std::vector<std::string> environment_warnings(const RunInfo&, const DeviceRecord&);

}  // namespace parallax
