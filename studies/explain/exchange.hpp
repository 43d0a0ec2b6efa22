// PTX of one API's compiler, made ready for the other's driver.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax {

/// OpenCL's PTX for CUDA, which leaves undefined the special registers in which OpenCL's driver
/// passes the launch configuration: the offsets of work-groups (`%envreg0` to 2) and of work-items
/// (3 to 5) become 0, the number of work-groups (6 to 8) becomes `%nctaid`. A kernel that reads the
/// undefined registers faults; with 0 work-groups a grid-stride loop would never end. Structs by
/// value are passed alike.
/// @param kernels  as the source of the PTX declares them
/// @throws Unsupported for other special registers of OpenCL's, and for local parameters that are
/// not declared as its compiler does
std::string ptx_for_cuda(std::string_view opencl_ptx, const std::vector<Signature>& kernels = {});

/// CUDA's PTX for OpenCL: kernel parameters that are pointers to global memory are declared as
/// such. Otherwise OpenCL's driver passes a handle instead of an address, and the launch kills its
/// context. `.maxntid`, the maximum number of work-items per work-group, becomes `.reqntid` with
/// the launch's size; otherwise OpenCL's driver would allow only 256 work-items.
/// @param kernels  as the source of the PTX declares them
/// @param groups   work-items per work-group of each kernel's launch, by the kernel's name
/// @throws Unsupported for a kernel with a parameter in constant memory or an image, which OpenCL's
/// compiler passes in another way
std::string ptx_for_opencl(std::string_view cuda_ptx, const std::vector<Signature>& kernels,
                           const std::map<std::string, Size>& groups);

// Parameters in local memory: OpenCL's driver passes them as addresses, and CUDA's kernels of this
// program as offsets in their dynamic array, the first of them not at all.

/// Number of the kernel's parameter in CUDA's PTX, which has none for the first local one.
std::size_t cuda_place(const Signature&, std::size_t parameter);

/// OpenCL's PTX with the kernel's local parameters as CUDA passes them.
/// @throws Unsupported where the PTX does not declare them as OpenCL's compiler does
std::string local_for_cuda(std::string opencl_ptx, const Signature& kernel);

/// CUDA's PTX with the kernel's local parameters as OpenCL passes them.
/// @throws Unsupported where the PTX has no dynamic array
std::string local_for_opencl(std::string cuda_ptx, const Signature& kernel);

}  // namespace parallax
