// NVRTC's PTX with its constant arrays in global memory.
#pragma once

#include <string>

namespace parallax {

/// Arrays in the state space `.const` are declared in `.global`, with the same values, and loads
/// from there go through the read-only path.
/// @returns the PTX as it was where it loads nothing from constant arrays
std::string with_constants_in_global(const std::string& ptx);

}  // namespace parallax
