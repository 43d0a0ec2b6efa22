// Kinds of ASCII characters as names in programs have them, defined for every byte.
#pragma once

namespace parallax {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
/// The underscore counts as one.
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || is_upper(c) || c == '_';
}
constexpr bool is_word_character(char c) {
    return is_letter(c) || is_digit(c);
}

}  // namespace parallax
