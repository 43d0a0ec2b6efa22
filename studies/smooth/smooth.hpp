// An image smoothed on a device by a kernel of the suite `smoothing`: checked, timed, checked
// again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/device/device.hpp"
#include "common/suite/suite.hpp"
#include "measure/timing_loop.hpp"
#include "measure/verification.hpp"
#include "studies/smooth/image.hpp"

namespace parallax {

/// What the device made of an image.
struct Smoothed {
    VerificationResult checked;
    std::optional<Timing> timing;            ///< none: an answer was wrong
    std::vector<std::uint16_t> values = {};  ///< as Image::values
};

/// Runs, checks, times and checks again. What was checked last is what comes back.
/// @param c      of the image's extents and channels
/// @param check  is called between launches; what it throws ends it
Smoothed smooth_on(Device&, const Case& c, const Program&, const Image&,
                   const std::function<void()>& check);

}  // namespace parallax
