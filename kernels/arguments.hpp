// Whether a launch's arguments fit the kernel that they are for.
#pragma once

#include <cstdint>
#include <span>

#include "common/device.hpp"
#include "kernels/translate.hpp"

namespace parallax {

/// Compares number, kind and type of the arguments with the parameters that the kernel's OpenCL C
/// text declares. Signed and unsigned integers of one size fit each other: their bits are the same.
/// @throws UsageError naming the first argument that does not fit.
void check_arguments(const Signature& kernel, std::span<const Argument> arguments,
                     std::uint32_t local_bytes);

}  // namespace parallax
