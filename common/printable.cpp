// Makes visible what a terminal would obey rather than show.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "common/text.hpp"

namespace parallax {
namespace {

/// A character at the start of a text: its code and its bytes; no bytes: it is not UTF-8.
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

/// Whether a terminal would obey it rather than show it.
bool is_control(char32_t code) {
    return code < 0x20 || (code >= 0x7f && code <= 0x9f)           // C0, DEL, C1
           || code == 0x061c || code == 0x200e || code == 0x200f   // marks of direction
           || (code >= 0x202a && code <= 0x202e)                   // embeddings, overrides
           || (code >= 0x2066 && code <= 0x2069)                   // isolates
           || code == 0x2028 || code == 0x2029                     // line, paragraph separator
           || code == 0xfeff || code == 0xfffe || code == 0xffff;  // byte order; no characters
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
        } else if (is_control(c.code)) {
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
        // Most of every text is plain.
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
