// Differences between two records of one case: environment, source, and results.
#pragma once

#include <string>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// One difference, as text for each side; `unknown` where a record does not have it.
struct RecordDifference {
    std::string what;  ///< `driver`, `text of the kernel`
    std::string then, now;
    bool operator==(const RecordDifference&) const = default;
};

/// Differences in the conditions of both runs, in a fixed order: device, driver, compiler, program,
/// settings and clock frequencies of the device, the kernel's source as written and as compiled,
/// the compiler's options and output. A value in only one record counts as a difference, unless
/// only one of them was built or timed.
std::vector<RecordDifference> differences_between(const Record& then, const Record& now);

/// The results: status, hashes for equal inputs, and the time of a run with its interval, equal or
/// not.
std::vector<RecordDifference> outcomes_of(const Record& then, const Record& now);

}  // namespace parallax
