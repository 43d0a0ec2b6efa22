// Returns the CUDA source of a program, whatever its own language is.
#pragma once

#include <string>

#include "common/device/program.hpp"

namespace parallax {

/// Exactly what a compiler of CUDA C++ is given: the translation of a portable text; a native text
/// behind the definitions of T, T2 and T4, with its own line numbers; a text in PTX as it is.
/// @throws Refused (the translator's), UsageError for an edit that does not fit.
std::string cuda_source(const Program&);

}  // namespace parallax
