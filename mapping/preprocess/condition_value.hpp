// Computes the condition of an #if as C99 says.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace parallax {

/// Whether the condition holds: its numbers are signed where they fit and have no `u`. A name is 0.
/// @param tokens  after macros and `defined`, without blanks
/// @returns nothing for what is no such expression, overflows, divides by 0, or is otherwise in 64
/// bits, as in CUDA C++, than in 128, as Clang has them in OpenCL C
std::optional<bool> condition_value(std::span<const std::string> tokens);

}  // namespace parallax
