// Verifies one mutant in this process.
#pragma once

#include <functional>
#include <span>

#include "common/device/backend.hpp"
#include "measure/reference_data.hpp"
#include "studies/mutation/mutant_results.hpp"

namespace parallax {

/// A case that can detect a mutant, and its unmodified program.
struct JudgedCase {
    Case the_case;
    Program program;
};

/// Compiles without a device; null: there is none, and no two codes are known to be the same.
const Backend* device_free_compiler(std::span<const std::unique_ptr<Backend>>);

/// Tries the mutant with all cases that can detect it (at least one, otherwise those whose code
/// differs according to `compiler`), until one does: on the suite's check shapes and on the case's
/// own, as `parallax run --check` does.
/// @param check_interrupt  called before each build and each launch
/// @param is_glance  only one case, with small shapes
/// @return not_tried where the device supports none of the cases; never died
/// @throws DeviceError: device and process are unusable from here on
End judge(Device&, std::span<const JudgedCase>, const Mutant&, ReferenceCache&,
          const std::function<void()>& check_interrupt, const Backend* compiler,
          bool is_glance = false);

}  // namespace parallax
