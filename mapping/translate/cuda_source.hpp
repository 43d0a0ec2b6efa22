// Returns the CUDA source of a program, whatever its own language is.
#pragma once

#include <string>
#include <string_view>

#include "common/device/program.hpp"

namespace parallax {

/// Exactly what a compiler of CUDA C++ is given: the translation of a portable text; a native text
/// behind the definitions of T, T2 and T4, with its own line numbers; a text in PTX as it is.
/// @throws Refused (the translator's), UsageError for an edit that does not fit.
std::string cuda_source(const Program&);

/// Where the file's own lines begin in its CUDA source, behind the prelude.
std::size_t own_lines(std::string_view cuda, std::string_view file);

/// Whether NVRTC's own headers use the name, so that a constant of it cannot be an option:
/// `cuda_source` defines it in front of the file's own lines.
bool is_name_of_nvrtc(std::string_view constant);

}  // namespace parallax
