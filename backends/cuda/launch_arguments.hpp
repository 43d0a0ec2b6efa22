// Checks a launch's arguments, since CUDA would read past the end of a list that is too short.
#pragma once

#include <span>
#include <string_view>

#include "backends/cuda/ptx_reader.hpp"
#include "common/device/device.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::cuda {

/// Compares count, kind and size of the arguments with the kernel's parameters.
/// @param declared  the kernel as declared in OpenCL C, or nullptr; it distinguishes buffers from
/// numbers
/// @param compiled  the kernel as declared in PTX: without the first dynamic local parameter, and
/// with a number (its offset) for each further one
/// @throws UsageError with the first argument that does not fit. Signed and unsigned integers of
/// one size are compatible: their bits are the same.
void check_arguments(const Signature* declared, const PtxKernel& compiled,
                     std::span<const Argument> arguments);

}  // namespace parallax::cuda
