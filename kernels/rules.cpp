// Looks at the surroundings of a token: shifts, sizeof, casts, swizzles.
#include "kernels/rules.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>

namespace parallax {
namespace {

bool has_long_suffix(std::string_view number) {
    return number.find_first_of("lL") != number.npos;
}

/// The value of an integer literal, or nothing for another token or one above 1000.
std::optional<unsigned> small_integer(const Token& token) {
    if (token.kind != TokenKind::number) return {};
    const bool hex = token.text.starts_with("0x") || token.text.starts_with("0X");
    if (token.text.find('.') != token.text.npos ||
        token.text.find_first_of(hex ? "pP" : "eEfF") != token.text.npos) {
        return {};
    }
    const std::string text(token.text);
    const unsigned long long value = std::strtoull(text.c_str(), nullptr, 0);
    return value > 1000 ? std::nullopt : std::optional(static_cast<unsigned>(value));
}

template <std::size_t N>
bool is_any(const Token& token, const std::array<std::string_view, N>& texts) {
    return std::any_of(texts.begin(), texts.end(), [&](auto text) { return token.is(text); });
}

/// Whether the operand that ends at `i` is certainly 64 bits wide.
bool is_wide(const Outline& outline, std::size_t i) {
    if (outline[i].kind == TokenKind::number) return has_long_suffix(outline[i].text);
    // A name or a parenthesis, right behind `(long)` or `(ulong)`.
    const std::size_t start = outline[i].is(")") ? outline.match[i] : i;
    if (!outline[i].is(")") && outline[i].kind != TokenKind::word) return false;
    return start >= 3 && outline[start - 1].is(")") && outline[start - 3].is("(") &&
           is_any(outline[start - 2], std::array<std::string_view, 2>{"long", "ulong"});
}

/// Whether all of the parenthesis at `open` is `... & mask` with mask below `width`.
bool is_masked(const Outline& outline, std::size_t open, unsigned width) {
    const std::size_t close = outline.match[open];
    if (close < open + 4 || !outline[close - 2].is("&")) return false;
    const auto mask = small_integer(outline[close - 1]);
    if (!mask || *mask >= width) return false;
    // What binds more weakly than & would leave the mask to a part of the count.
    static constexpr std::array<std::string_view, 17> weaker{"^",  "|",  "&&", "||",  "?",  ":",
                                                             ",",  "=",  "+=", "-=",  "*=", "/=",
                                                             "%=", "&=", "|=", "<<=", ">>="};
    for (std::size_t i = open + 1; i < close - 2; ++i) {
        if (is_any(outline[i], weaker) || outline[i].is("^=") || outline[i].is("{")) return false;
        if (outline.match[i] > i) i = outline.match[i];
    }
    // `(a && & 3)` cannot be, but `(& 3)` could only be an address.
    return true;
}

}  // namespace

bool shift_is_safe(const Outline& outline, std::size_t mark) {
    const bool assigns = outline[mark].text.size() == 3;
    const unsigned width = mark > 0 && !assigns && is_wide(outline, mark - 1) ? 64 : 32;
    const std::size_t count = mark + 1;
    std::size_t after = count + 1;
    if (outline[count].is("(")) {
        after = outline.match[count] + 1;
        if (!is_masked(outline, count, width)) {
            // A literal in parentheses.
            const auto value = small_integer(outline[count + 1]);
            if (outline.match[count] != count + 2 || !value || *value >= width) return false;
        }
    } else {
        const auto value = small_integer(outline[count]);
        if (!value || *value >= width) return false;
    }
    // Whatever binds more strongly than the shift would make the count larger.
    if (assigns) {
        return is_any(outline[after], std::array<std::string_view, 3>{";", ")", ","});
    }
    static constexpr std::array<std::string_view, 20> weaker{";", ")", "]",  "}",  ",",  "<<", ">>",
                                                             "<", ">", "<=", ">=", "==", "!=", "&",
                                                             "^", "|", "&&", "||", "?",  ":"};
    return is_any(outline[after], weaker);
}

bool sizeof_is_safe(const Outline& outline, std::size_t word) {
    const std::size_t open = word + 1;
    if (!outline[open].is("(")) return false;
    for (std::size_t i = open + 1; i < outline.match[open]; ++i) {
        const Token& token = outline[i];
        static constexpr std::array<std::string_view, 6> harmless{"*", "[",  "]",
                                                                  ".", "->", "const"};
        if (token.is("true") || token.is("false")) return false;
        if (token.kind != TokenKind::word && token.kind != TokenKind::number &&
            !is_any(token, harmless)) {
            return false;
        }
    }
    const std::size_t after = outline.match[open] + 1;
    // `sizeof(x)[0]` and `sizeof(x).y` take in what follows.
    return !outline[after].is("[") && !outline[after].is(".") && !outline[after].is("->");
}

bool is_vector_cast(const Outline& outline, std::size_t open, std::optional<ElementType> type) {
    bool vector = false;
    for (std::size_t i = open + 1; i < outline.match[open]; ++i) {
        const std::string_view word = spelled(outline[i].text, type);
        if (vector_type(word)) {
            vector = true;
        } else if (!is_qualifier(word) && !is_address_space(word)) {
            return false;
        }
    }
    if (!vector) return false;
    if (open > 0 && outline[open - 1].kind == TokenKind::word && !outline[open - 1].is("return") &&
        !outline[open - 1].is("case") && !outline[open - 1].is("else") &&
        !outline[open - 1].is("do")) {
        return false;  // the parameters of a function, or sizeof
    }
    const Token& after = outline[outline.match[open] + 1];
    if (after.kind == TokenKind::word || after.kind == TokenKind::number) return true;
    static constexpr std::array<std::string_view, 9> begins{"(", "-", "+",  "!", "~",
                                                            "*", "&", "++", "--"};
    return is_any(after, begins);
}

bool is_swizzle(std::string_view name) {
    if (name == "lo" || name == "hi" || name == "even" || name == "odd") return true;
    if (name.size() > 1 && (name[0] == 's' || name[0] == 'S')) {
        return name.find_first_not_of("0123456789abcdefABCDEF", 1) == name.npos;
    }
    if (name.find_first_not_of("xyzw") == name.npos) return name.size() > 1 && name.size() <= 16;
    return name.find_first_not_of("rgba") == name.npos && name.size() <= 4;
}

}  // namespace parallax
