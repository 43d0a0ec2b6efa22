// Environment variables that affect measurements: speed, compiled code, or the choice of devices.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// The variables that are set, by name, with printable values.
/// @param environment  `NAME=VALUE` each, terminated by a null, as `environ`
std::map<std::string, std::string> measured_variables(const char* const* environment);

/// The effects of a run's environment variables on times on a device, and how to measure without
/// them: a sentence or two for each. Variables that only hide devices or are for another API have
/// none.
std::vector<std::string> environment_warnings(const RunInfo&, const DeviceRecord&);

}  // namespace parallax
