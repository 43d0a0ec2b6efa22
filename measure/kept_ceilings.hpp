// Stores measured ceilings in a file of the user, for later runs.
#pragma once

#include <optional>

#include "measure/run_case.hpp"
#include "records/record.hpp"

namespace parallax {

/// Seconds for which later runs may reuse a ceiling.
inline constexpr double ceiling_lifetime = 24 * 3600;

/// A stored ceiling as a record of the present run, with a note about its origin. It must match in
/// all that it depends on: the device with its driver and compiler, its highest clock frequency,
/// power limit and ECC, the kernel's source and float rules, and the program's version; it needs at
/// least as many rounds and as long batches, and must be recent. Empty where there is none,
/// RunConfig does not want it, or the file cannot be read.
/// @param c  with any shape
std::optional<Record> kept_ceiling(const Case& c, const DeviceInfo&, const RunConfig&,
                                   const RunInfo& now);

/// Stores a measured ceiling, replaces older ones of its kind, and removes expired ones. A GPU's
/// ceiling must be `ok`, known to 2 %, and measured without other processes on the device. Without
/// a writable file nothing is stored. Thread-safe; of concurrent processes the last one's file
/// stays.
void keep_ceiling(const Record&, const DeviceInfo&, const RunConfig&);

}  // namespace parallax
