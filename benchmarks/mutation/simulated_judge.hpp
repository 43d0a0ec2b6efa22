// Verifies one mutant on Oclgrind's device.
#pragma once

#include <functional>

#include "common/device/device.hpp"
#include "common/suite/suite.hpp"
#include "studies/mutation/mutant_results.hpp"

namespace parallax {

/// As judge(), with each variant's small case: reports count as wrong.
/// @param reported  whether there was a report since the last call
/// @return lived also where it can run none of the cases
End judge_simulated(Device&, const Suite&, const Mutant&, const std::function<bool()>& reported,
                    const std::function<void()>& check_interrupt);

}  // namespace parallax
