// One mutant before verification, in this process.
#pragma once

#include <functional>

#include "benchmarks/mutation/ends.hpp"
#include "measure/reference_data.hpp"

namespace parallax {

/// Tries the mutant by all cases that can tell (one, and those that NVRTC does not make the same
/// code of), until one does: on the suite's check shapes and on a timed one, as `parallax run
/// --check` does.
/// @param between  called before each build and each launch
/// @param is_glance  one case, on small shapes alone
/// @return not_tried where the device has none of the cases; never died
/// @throws DeviceError: device and process are unusable from here on
End judge(Device&, const Suite&, const Mutant&, ReferenceCache&,
          const std::function<void()>& between, bool is_glance = false);

/// The same on Oclgrind's device, by each variant's small case: what it reports counts as wrong.
/// @param reported  whether it has reported something since it was asked last
/// @return lived, too, where it can judge none of the cases
End judge_simulated(Device&, const Suite&, const Mutant&, const std::function<bool()>& reported,
                    const std::function<void()>& between);

}  // namespace parallax
