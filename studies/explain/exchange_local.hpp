// Parameters in local memory, which OpenCL's driver passes as addresses, and CUDA's kernels of this
// program as offsets in their dynamic array, the first of them not at all.
#pragma once

#include <string>

#include "mapping/translate/translate.hpp"

namespace parallax {

/// Number of the kernel's parameter in CUDA's PTX, which has none for the first local one.
std::size_t cuda_place(const Signature&, std::size_t parameter);

/// OpenCL's PTX with the kernel's local parameters as CUDA passes them.
/// @throws Unsupported where the PTX does not declare them as OpenCL's compiler does
std::string local_for_cuda(std::string opencl_ptx, const Signature& kernel);

/// CUDA's PTX with the kernel's local parameters as OpenCL passes them.
/// @throws Unsupported where the PTX has no dynamic array
std::string local_for_opencl(std::string cuda_ptx, const Signature& kernel);

}  // namespace parallax
