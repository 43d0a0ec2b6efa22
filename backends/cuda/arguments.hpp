// Whether a launch's arguments fit its kernel: CUDA would read past the end of a list that is
// short.
#pragma once

#include <span>
#include <string_view>

#include "backends/cuda/ptx.hpp"
#include "common/device/device.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::cuda {

/// Compares count, kind and size of the arguments with the kernel's parameters.
/// @param declared  the kernel as its OpenCL C text declares it, or nullptr; with it, buffers are
///                  told from numbers
/// @param compiled  the kernel as its PTX declares it: the first dynamic local parameter is none of
///                  its own, and each further one is a number, where it begins
/// @throws UsageError naming the first argument that does not fit. Signed and unsigned integers of
/// one size fit each other: their bits are the same.
void check_arguments(const Signature* declared, const PtxKernel& compiled,
                     std::span<const Argument> arguments);

}  // namespace parallax::cuda
