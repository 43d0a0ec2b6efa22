// Computes the condition of an #if as C99 says.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace parallax {

/// Whether the condition holds: its numbers have 64 bits, and are signed where they fit and have no
/// `u`. A name is 0.
/// @param tokens  after macros and `defined`, without blanks
/// @returns nothing for what is no such expression, overflows, or divides by 0
std::optional<bool> condition_value(std::span<const std::string> tokens);

}  // namespace parallax
