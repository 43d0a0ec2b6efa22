// Parses escapes, and numbers of every base.
#include "mapping/analyze/literals.hpp"

#include <algorithm>
#include <charconv>

namespace parallax {
namespace {

/// The value of digits of a base, at most `most` of them; takes them away.
unsigned digits(std::string_view& text, int base, std::size_t most) {
    unsigned value = 0;
    const char* const end = text.data() + std::min(most, text.size());
    text.remove_prefix(
        static_cast<std::size_t>(std::from_chars(text.data(), end, value, base).ptr - text.data()));
    return value;
}

}  // namespace

std::optional<std::vector<unsigned char>> bytes_of_literal(std::string_view literal) {
    if (literal.size() < 2 || literal.front() != literal.back()) return {};
    std::vector<unsigned char> bytes;
    for (std::string_view rest = literal.substr(1, literal.size() - 2); !rest.empty();) {
        const char c = rest.front();
        if (c != '\\' || rest.size() < 2) {
            bytes.push_back(static_cast<unsigned char>(c));
            rest.remove_prefix(1);
            continue;
        }
        constexpr std::string_view letters = "abfnrtv\\'\"?", values = "\a\b\f\n\r\t\v\\'\"?";
        const std::size_t letter = letters.find(rest[1]);
        if (letter != letters.npos) {
            bytes.push_back(static_cast<unsigned char>(values[letter]));
            rest.remove_prefix(2);
        } else if (rest[1] == 'x') {
            rest.remove_prefix(2);
            bytes.push_back(static_cast<unsigned char>(digits(rest, 16, rest.size())));
        } else if (rest[1] >= '0' && rest[1] <= '7') {
            rest.remove_prefix(1);
            bytes.push_back(static_cast<unsigned char>(digits(rest, 8, 3)));
        } else {
            return {};
        }
    }
    return bytes;
}

std::optional<std::uint64_t> whole_number_of(std::string_view text) {
    if (text.starts_with('\'')) {
        const auto bytes = bytes_of_literal(text);
        if (!bytes || bytes->size() != 1) return {};
        return static_cast<std::uint64_t>(static_cast<signed char>(bytes->front()));
    }
    const int base = text.starts_with("0x") || text.starts_with("0X") ? 16
                     : text.size() > 1 && text[0] == '0'              ? 8
                                                                      : 10;
    const std::string_view figures = text.substr(base == 16 ? 2 : 0);
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(figures.data(), figures.data() + figures.size(), value, base);
    const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (error != std::errc{} || suffix.find_first_not_of("uUlL") != suffix.npos) return {};
    return value;
}

}  // namespace parallax
