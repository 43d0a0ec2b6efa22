// Ceilings that earlier runs measured, kept in a file of the user.
#pragma once

#include <optional>

#include "measure/run_case.hpp"
#include "records/record.hpp"

namespace parallax {

/// A ceiling stands for the runs that begin so many seconds after the one that measured it.
inline constexpr double ceiling_lifetime = 24 * 3600;

/// The ceiling as an earlier run measured it, a record of the present run with a note that says so.
/// Everything that it depends on has to be equal: the device with its driver and compiler, its
/// highest clock, power limit and ECC, the kernel's text and float rules, and the program's
/// version. It has to be measured in as many rounds and as long batches at least, and not too long
/// ago. Nothing where there is none, or RunConfig does not want it; a file that cannot be read is
/// none.
/// @param c  its shape may be any
std::optional<Record> kept_ceiling(const Case& c, const DeviceInfo&, const RunConfig&,
                                   const RunInfo& now);

/// Keeps a ceiling that this run has measured in the place of older ones of its kind, and drops
/// what is too old. Of a GPU, if it is `ok`, known to 2 %, and no other process was on the device.
/// Where the file cannot be written nothing is kept. Thread-safe; of processes that do so at once
/// the last one's file stays.
void keep_ceiling(const Record&, const DeviceInfo&, const RunConfig&);

}  // namespace parallax
