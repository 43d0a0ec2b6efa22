// A kept record's case once more.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "common/device/devices.hpp"
#include "common/suite/suite.hpp"
#include "records/record.hpp"

namespace parallax::cli {

/// What `run --again` repeats.
struct ReplayRequest {
    Case the_case;
    std::string file;
    /// Its records of each device that it was run on, the last of each; one at least.
    std::vector<Record> then;
};

/// The case that `FILE` or `FILE:CASE` names. CASE is SUITE/VARIANT, or all of what a record's case
/// is called (`transpose/tiled float 1024x1024 TILE=32`), or its beginning.
/// @param with  suites to look in before the program's own: of manifests
/// @throws UsageError where it names none, or several, which the message lists; where the suite is
/// not there; and where the kernel was changed on purpose
ReplayRequest read_again(const std::string& word, const std::vector<const Suite*>& with);

/// The entries that the records were made on: of the same backend and UUID, where one of them is
/// not known of the same name. @throws UsageError where there is none
std::vector<Entry> entries_for(const ReplayRequest&, const std::vector<Entry>& here);

/// What differs from then, as text: the circumstances, and what came out.
/// @param now  the record that was just made
std::string changes_since(const ReplayRequest&, const Record& now);

}  // namespace parallax::cli
