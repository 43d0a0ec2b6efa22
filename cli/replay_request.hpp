// Repeats the case of a stored record.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "common/device/devices.hpp"
#include "common/suite/suite.hpp"
#include "records/record.hpp"

namespace parallax::cli {

/// The run that `run --again` repeats.
struct ReplayRequest {
    Case the_case;
    std::string file;
    /// The last record of each device that ran it; at least one.
    std::vector<Record> then;
};

/// The case of `FILE` or `FILE:CASE`. CASE is SUITE/VARIANT, a full title (`transpose/tiled float
/// 1024x1024 TILE=32`), or the start of a title.
/// @param with  suites of manifests, searched before the built-in ones
/// @throws UsageError where none or several match, which the message lists; where the suite is
/// unknown; and where the kernel was modified on purpose
ReplayRequest read_again(const std::string& word, const std::vector<const Suite*>& with);

/// The entries of the records: with the same backend and UUID, or the same name where a UUID is
/// unknown. @throws UsageError where there is none
std::vector<Entry> entries_for(const ReplayRequest&, const std::vector<Entry>& here);

/// The differences from the record, as text: environment and results.
/// @param now  the record that was just made
std::string changes_since(const ReplayRequest&, const Record& now);

}  // namespace parallax::cli
