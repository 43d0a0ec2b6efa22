// A CUDA C++ source without what only the host's compiler takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"

namespace parallax {

/// Whether a header belongs to the host's program: C's and C++'s own, and CUDA's run-time API.
bool is_host_header(std::string_view name);

/// The source with blank lines in place of the host's functions and variables, of includes of its
/// headers and of `using namespace std`, each other line where it was: NVRTC takes device code
/// alone. Variables of the device are not `static`, since a manifest names them. What shares a line
/// with something else stays, and so does what may be the device's: a function behind a word that
/// is no macro of the source and no word of C++.
/// @param defines  that NVRTC is given, too
std::string device_code(std::string_view file, std::string_view source,
                        const std::vector<Define>& defines = {});

/// The lines of a kernel alone, by its name or its name expression, `blas::saxpy<float>`; all of
/// the source where it is not found, or has several functions of this name.
std::string kernel_lines(std::string_view file, std::string_view source, std::string_view kernel);

}  // namespace parallax
