// PTX of one API's compiler, made ready for the other's driver.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax {

/// OpenCL's PTX for CUDA, which leaves undefined the special registers that OpenCL's driver tells a
/// launch in: the offsets of groups (`%envreg0` to 2) and of items (3 to 5) become 0, the number of
/// groups (6 to 8) becomes `%nctaid`. A kernel that reads them as they are faults; one whose number
/// of groups was 0 would step through its work by nothing and never end.
/// Structs by value are passed alike; for parameters in local memory see exchange_local.hpp.
/// @param kernels  as the text that the PTX was made from declares them
/// @throws Unsupported for other special registers of OpenCL's, and for local parameters that are
/// not declared as its compiler does
std::string ptx_for_cuda(std::string_view opencl_ptx, const std::vector<Signature>& kernels = {});

/// CUDA's PTX for OpenCL: kernels' parameters that are pointers to global memory are declared as
/// such. Without that OpenCL's driver passes a handle instead of an address, and the launch kills
/// its context.
/// Where CUDA's compiler was told the most items of a group (`.maxntid`), OpenCL's driver is told
/// the group itself (`.reqntid`), or it would allow 256 items only.
/// @param kernels  as the text that the PTX was made from declares them
/// @param groups   the items of a group that each kernel is launched with, by its name
/// @throws Unsupported for a kernel with a parameter in constant memory or an image, which OpenCL's
/// compiler passes in another way
std::string ptx_for_opencl(std::string_view cuda_ptx, const std::vector<Signature>& kernels,
                           const std::map<std::string, Size>& groups);

}  // namespace parallax
