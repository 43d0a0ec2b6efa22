// Makes control characters and invisible characters visible.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "common/text/text.hpp"

namespace parallax {
namespace {

/// The first character of a text: its code point and its bytes; no bytes: it is not UTF-8.
struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;
};

Character first_of(std::string_view text) {
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte < 0x80) return {byte, 1};
    const std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte < 0xc2 || byte > 0xf4 || text.size() < length) return {};
    char32_t code = byte & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xc0) != 0x80) return {};
        code = code << 6 | (next & 0x3fu);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
    return {code, length};
}

struct Range {
    char32_t first, last;
};
/// Characters that control a terminal or are invisible, so that two different names look the same.
/// After Unicode 15: Default_Ignorable_Code_Point and the categories Cc, Zl and Zp.
constexpr std::array hidden{
    Range{0x0, 0x1f},         // C0
    Range{0x7f, 0x9f},        // DEL, C1
    Range{0xad, 0xad},        // soft hyphen
    Range{0x34f, 0x34f},      // grapheme joiner
    Range{0x61c, 0x61c},      // mark of direction
    Range{0x115f, 0x1160},    // Hangul fillers
    Range{0x17b4, 0x17b5},    // vowels of Khmer without a form
    Range{0x180b, 0x180f},    // selectors of Mongolian
    Range{0x200b, 0x200f},    // no width, marks of direction
    Range{0x2028, 0x202e},    // line and paragraph separators, embeddings, overrides
    Range{0x2060, 0x206f},    // joiners, operators without a form, isolates
    Range{0x3164, 0x3164},    // Hangul filler
    Range{0xfe00, 0xfe0f},    // selectors of variations
    Range{0xfeff, 0xfeff},    // byte order
    Range{0xffa0, 0xffa0},    // Hangul filler
    Range{0xfff0, 0xfffb},    // not assigned; annotations
    Range{0xfffe, 0xffff},    // no characters
    Range{0x1bca0, 0x1bca3},  // controls of shorthand
    Range{0x1d173, 0x1d17a},  // controls of music
    Range{0xe0000, 0xe0fff},  // tags, selectors of variations
};

bool is_hidden(char32_t code) {
    return std::ranges::any_of(
        hidden, [&](const Range& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
    std::string shown;
    for (std::size_t characters = 0; !text.empty(); ++characters) {
        if (characters == most) return shown + "...";
        const Character c = first_of(text);
        if (c.bytes == 0) {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (c.code == '\n' || c.code == '\r' || c.code == '\t') {
            shown += c.code == '\n' ? "\\n" : c.code == '\r' ? "\\r" : "\\t";
        } else if (is_hidden(c.code)) {
            const auto code = static_cast<std::uint32_t>(c.code);
            shown += code < 0x20 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
        } else {
            shown += text.substr(0, c.bytes);
        }
        text.remove_prefix(std::max<std::size_t>(1, c.bytes));
    }
    return shown;
}

std::string harmless(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        // Fast path: most text is plain.
        const auto plain = static_cast<std::size_t>(
            std::ranges::find_if_not(
                text, [](char c) { return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t'; }) -
            text.begin());
        shown += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.starts_with("\r\n")) {
            shown += "\r\n";
            text.remove_prefix(2);
        } else if (!text.empty()) {
            const std::size_t bytes = std::max<std::size_t>(1, first_of(text).bytes);
            shown += printable(text.substr(0, bytes));
            text.remove_prefix(bytes);
        }
    }
    return shown;
}

}  // namespace parallax
