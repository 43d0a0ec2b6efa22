// Lists the mutants of the suites, and the cases that can detect each.
#pragma once

#include <vector>

#include "common/suite/suite.hpp"
#include "tests/mutation/tally.hpp"

namespace parallax {

/// All mutants of the suites' sources, suite by suite, portable ones before native ones, each
/// source once: the same list in every process.
std::vector<Tried> all_mutants();

/// The cases that can detect it, with their unmodified programs: of the variants that launch the
/// mutant's kernel, or of all if its function is no kernel; for each type, each choice of a
/// constant, and extreme constants. Their shape is the largest timed one that is fast enough on a
/// CPU or, for a device that only verifies, a check shape: verification tries both.
std::vector<JudgedCase> judged_cases(const Suite&, const Mutant&, const DeviceInfo&);

}  // namespace parallax
