// Parses the resource report of NVIDIA's assembler, which both APIs' compilers can produce.
#pragma once

#include <string_view>

#include "common/device/device.hpp"

namespace parallax {

/// Registers, spills, stack, shared and constant bytes (of all banks) and barriers of `kernel` from
/// ptxas' verbose report (`-cl-nv-verbose`, `--ptxas-options=-v`). Missing numbers stay empty.
Resources ptxas_resources(std::string_view report, std::string_view kernel);

}  // namespace parallax
