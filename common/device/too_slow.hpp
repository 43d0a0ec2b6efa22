// The error of a device that only checks, at a size that would take it too long.
#pragma once

#include "common/error.hpp"

namespace parallax {

/// A launch was given up: its size is too large for the device's speed.
struct TooSlow : Unsupported {
    using Unsupported::Unsupported;
};

}  // namespace parallax
