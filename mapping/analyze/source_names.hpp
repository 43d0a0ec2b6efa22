// Names that are free in OpenCL C but reserved in CUDA C++.
#pragma once

#include <string_view>

namespace parallax {

bool is_cxx_keyword(std::string_view name);  ///< and not one of OpenCL C
/// Whether a function, type or variable at file scope could not have this name in CUDA.
bool is_taken_at_file_scope(std::string_view name);

}  // namespace parallax
