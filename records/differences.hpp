// What differs between two records of one case: the environment, the text, and what came out.
#pragma once

#include <string>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// One thing that differs, each side in words; `unknown` where a record does not say.
struct RecordDifference {
    std::string what;  ///< `driver`, `text of the kernel`
    std::string then, now;
    bool operator==(const RecordDifference&) const = default;
};

/// Where, with what and of what text both ran, in a fixed order: device, driver, compiler, program,
/// settings and clocks of the device, the kernel's text as written and as the compiler got it, the
/// compiler's options and what it made. What only one of them says is a difference, but for what
/// follows from only one of them having been built or timed.
std::vector<RecordDifference> differences_between(const Record& then, const Record& now);

/// What came out: status, answers on equal inputs as bits, and the time of a run with its interval.
/// Not only where they differ.
std::vector<RecordDifference> outcomes_of(const Record& then, const Record& now);

}  // namespace parallax
