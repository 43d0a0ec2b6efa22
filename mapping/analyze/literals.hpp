// Values of integer, character and string literals.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace parallax {

/// The bytes of a `"string"` or a `'c'`, the quotes not included; nothing for one that has other
/// characters than bytes.
std::optional<std::vector<unsigned char>> bytes_of_literal(std::string_view literal);

/// The value of a whole number (`0x1fu`) or a character (`'a'`, negative above 127).
std::optional<std::uint64_t> whole_number_of(std::string_view text);

}  // namespace parallax
