// Checks whether a launch's arguments fit its kernel.
#pragma once

#include <span>
#include <string_view>

#include "common/device/device.hpp"
#include "mapping/analyze/signature.hpp"

namespace parallax {

/// Compares number, kind and type of the arguments with the parameters that the kernel's OpenCL C
/// text declares. Signed and unsigned integers of one size fit each other: their bits are the same.
/// @throws UsageError naming the first argument that does not fit.
void check_arguments(const Signature& kernel, std::span<const Argument> arguments);

/// Whether a value of type `given` may be passed to a parameter of type `declared`: equal types,
/// integers of one size that differ in the sign, or a byte for CUDA's `bool`.
bool fits_type(std::string_view declared, std::string_view given);

}  // namespace parallax
