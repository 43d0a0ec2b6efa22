// Classifies ASCII characters as identifiers of C use them; defined for every byte.
#pragma once

#include <algorithm>
#include <string_view>

namespace parallax {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
/// Includes the underscore.
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || is_upper(c) || c == '_';
}
constexpr bool is_word_character(char c) {
    return is_letter(c) || is_digit(c);
}

constexpr bool is_identifier(std::string_view name) {
    return !name.empty() && !is_digit(name.front()) &&
           std::all_of(name.begin(), name.end(), is_word_character);
}

/// Past the identifier's characters that begin at `at`.
constexpr std::size_t word_end(std::string_view text, std::size_t at = 0) {
    while (at < text.size() && is_word_character(text[at])) ++at;
    return at;
}

/// The text without the blanks and line ends around it.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
    const std::size_t start = std::min(text.find_first_not_of(blanks), text.size());
    return text.substr(start, text.find_last_not_of(blanks) + 1 - start);
}

/// Whether `word`, which begins with an identifier character, is a whole word of `text`.
constexpr bool has_word(std::string_view text, std::string_view word) {
    if (word.empty() || !is_word_character(word.front())) return false;
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word_character(text[at - 1])) &&
            (end == text.size() || !is_word_character(text[end]))) {
            return true;
        }
    }
    return false;
}

}  // namespace parallax
