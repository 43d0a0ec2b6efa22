// One mutant before the gate, in this process.
#pragma once

#include <functional>

#include "benchmarks/mutation/ends.hpp"
#include "measure/workload.hpp"

namespace parallax {

/// Tries the mutant by all cases that can tell, until one does: on the suite's check shapes and on
/// a timed one, as `parallax run --check` does.
/// @param between  called before each build and each launch
/// @return any but not_tried and died
/// @throws DeviceError: device and process are unusable from here on
End judge(Device&, const Suite&, const Mutant&, Workloads&, const std::function<void()>& between);

}  // namespace parallax
