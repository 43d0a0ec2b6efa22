// What a self-test found, for programs.
#pragma once

#include <vector>

#include "records/json_fwd.hpp"
#include "studies/selftest/selftest.hpp"

namespace parallax {

/// The simulated comparisons, a row each. docs/methods.md says what its counts are.
Json simulated_json(const std::vector<SimulatedRow>&);

/// What the clock made of a device against itself, and of planted slowdowns: a row for each kernel.
Json selftest_json(const SelfTestReport&);

}  // namespace parallax
