// One row for each option: how its value is called, and which reports of stored data heed it.
#pragma once

#include <string_view>

#include "cli/command.hpp"

namespace parallax::cli {

/// Stored data that replaces a new measurement's settings.
enum StoredData : unsigned {
    diff_files = 1,     ///< `diff FILE [FILE]`
    explain_files = 2,  ///< `explain FILE...`
    run_from = 4,       ///< `run --from`
    run_again = 8,      ///< `run --again`, which measures what a record says
    sweep_from = 16,
    tune_from = 32,
    lesson_from = 64,
    any_data = 127,
};

/// Properties of an option, the same in every command that has it.
struct OptionRow {
    std::string_view name;   ///< the long one, without dashes
    std::string_view value;  ///< placeholder of its value: `SECONDS`; empty: the name in capitals
    unsigned heeded;         ///< a set of StoredData; the others refuse the option
};

/// An option without a row has a value called like itself, and is heeded by all.
OptionRow row_of(std::string_view option);

/// @throws UsageError when the command line has an option that the report cannot heed
void refuse_unheeded(const Values&, StoredData);

}  // namespace parallax::cli
