// The macros that a compiler of OpenCL C defines by itself, by the rows of the table.
#pragma once

#include <map>
#include <string_view>

namespace parallax {

/// Names and values. The features of OpenCL C 3.0 (`__opencl_c_images`) are there in 3.0 alone, as
/// on the OpenCL side.
/// @param standard  of `-cl-std=`: `CL3.0`; empty: CL1.2
std::map<std::string_view, std::string_view> compiler_macros(std::string_view standard);

/// Whether a name without a row is one of an extension, feature or option that a compiler of OpenCL
/// C tells by a macro.
bool may_be_a_compiler_macro(std::string_view name);

}  // namespace parallax
