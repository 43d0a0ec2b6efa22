// Converts a CUDA source for the system's C++ compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parallax::host {

/// The kernels of a CUDA source, in order: functions with `__global__`, before macro expansion.
/// Directives may remove some, and macros may define others.
std::vector<std::string> kernels_in(std::string_view cuda);

/// An identifier for a kernel's name or name expression, unique to it: `scale<float>` is
/// `scale_3cfloat_3e`.
std::string identifier_for(std::string_view kernel);

/// Bytes of dynamic local (shared) memory of a library: the limit of a work-group on an H100.
inline constexpr std::size_t dynamic_bytes = 232448;

/// The name of a translated source's prelude in place of its file.
inline constexpr std::string_view prelude_file = "parallax_prelude";

/// An equivalent C++ source for the shim: PTX becomes calls, dynamic local memory is defined, and
/// each kernel has a function that calls it and one that describes its parameters.
struct CppText {
    std::string text;
    std::string dynamic;  ///< the kernels' name for dynamic local memory; empty: none
};
/// @param file    the name for the numbers of the source's lines
/// @param macros  options `-D` and `-U`, for the file's own lines
/// @throws Unsupported for several names of dynamic local memory
CppText as_cpp(std::string_view file, std::string_view cuda,
               const std::vector<std::string>& kernels,
               const std::vector<std::string>& macros = {});

/// The source with the variables that a `case` jumps over, according to g++'s log, declared first
/// and assigned later.
std::string with_declarations_ahead(std::string text, std::string_view log);

}  // namespace parallax::host
