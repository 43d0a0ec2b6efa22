// A CUDA C++ source without what only the host's compiler takes.
#pragma once

#include <string>
#include <string_view>

namespace parallax {

/// Whether a header belongs to the host's program: C's and C++'s own, and CUDA's run-time API.
bool is_host_header(std::string_view name);

/// The source with blank lines in place of the host's functions and variables, of includes of its
/// headers and of `using namespace std`, each other line where it was: NVRTC takes device code
/// alone. What shares a line with something else stays.
/// @param file  for `#line`
std::string device_code(std::string_view file, std::string_view source);

}  // namespace parallax
