// The macros that a compiler of OpenCL C defines by itself, by the rows of the table.
#pragma once

#include <map>
#include <string_view>

namespace parallax {

/// Names and values. The features of OpenCL C 3.0 (`__opencl_c_images`) are there in 3.0 alone, as
/// on the OpenCL side.
/// @param standard  of `-cl-std=`: `CL3.0`; empty: CL1.2
std::map<std::string_view, std::string_view> compiler_macros(std::string_view standard);

/// Whether one device's compiler of OpenCL C may define this name, and another's may not, or with
/// another value: an extension, a feature, a compiler's or a device's own name. What a text's own
/// #define or a constant gives is not asked here.
bool differs_by_device(std::string_view name);

}  // namespace parallax
