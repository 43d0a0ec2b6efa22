// A CUDA text as the system's C++ compiler takes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parallax::host {

/// The kernels of a CUDA text, in order: what `__global__` stands before, but for macros. Some of
/// them may be left out by directives, and macros may make others.
std::vector<std::string> kernels_in(std::string_view cuda);

/// Bytes of dynamic local (shared) memory that a library has room for: what a group of an H100 has.
inline constexpr std::size_t dynamic_bytes = 232448;

/// What the prelude of a translated text is called in place of the file it was made for.
inline constexpr std::string_view prelude_file = "parallax_prelude";

/// A C++ text that says the same with the shim's definitions: PTX is called, dynamic local memory
/// is defined, and each kernel has a function that calls it and one that tells its parameters.
struct CppText {
    std::string text;
    std::string dynamic;  ///< what the kernels call dynamic local memory; empty: they have none
};
/// @param file  what the text's first line is numbered in
/// @throws Unsupported for several names of dynamic local memory
CppText as_cpp(std::string_view file, std::string_view cuda,
               const std::vector<std::string>& kernels);

/// The text with each variable that g++'s log names as jumped over by a `case` declared first and
/// assigned behind: so it may be.
std::string with_declarations_ahead(std::string text, std::string_view log);

}  // namespace parallax::host
