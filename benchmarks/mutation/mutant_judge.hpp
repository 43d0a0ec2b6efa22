// Verifies one mutant in this process.
#pragma once

#include <functional>

#include "benchmarks/mutation/mutant_results.hpp"
#include "measure/reference_data.hpp"

namespace parallax {

/// Tries the mutant with all cases that can detect it (at least one, otherwise those whose code
/// differs according to NVRTC), until one does: on the suite's check shapes and on a timed one, as
/// `parallax run --check` does.
/// @param check_interrupt  called before each build and each launch
/// @param is_glance  only one case, with small shapes
/// @return not_tried where the device supports none of the cases; never died
/// @throws DeviceError: device and process are unusable from here on
End judge(Device&, const Suite&, const Mutant&, ReferenceCache&,
          const std::function<void()>& check_interrupt, bool is_glance = false);

/// The same on Oclgrind's device, with each variant's small case: reports count as wrong.
/// @param reported  whether there was a report since the last call
/// @return lived also where it can run none of the cases
End judge_simulated(Device&, const Suite&, const Mutant&, const std::function<bool()>& reported,
                    const std::function<void()>& check_interrupt);

}  // namespace parallax
