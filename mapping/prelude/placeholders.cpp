// Writes out the words of a section that depend on a type.
#include <optional>

#include <fmt/format.h>

#include "common/text/characters.hpp"
#include "mapping/prelude/prelude_parts.hpp"
#include "mapping/prelude/sections.hpp"

namespace parallax {
namespace {

/// The least or the largest value of an integer type.
std::string limit(std::string_view element, bool largest) {
    const unsigned bits = 8 * element_bytes(element);
    if (!is_signed_element(element)) {
        if (!largest) return "0";
        return bits == 64 ? "0xffffffffffffffffull" : fmt::format("{}u", (1ull << bits) - 1);
    }
    if (bits == 64) return largest ? "0x7fffffffffffffffll" : "(-0x7fffffffffffffffll - 1)";
    const unsigned long long high = (1ull << (bits - 1)) - 1;
    return largest ? fmt::format("{}", high) : fmt::format("(-{} - 1)", high);
}

/// The replacement of `word`; nothing: it is no placeholder.
std::optional<std::string> meaning_of(std::string_view word, ValueType type) {
    const std::string_view element = type.element;
    const ValueType scalar{element, 1};
    const unsigned bits = 8 * element_bytes(element);
    const bool is_double = element == "double";
    if (word == "T") return cuda_name(scalar);
    if (word == "V") return cuda_name(type);
    if (word == "make_V") return maker_of(type);
    if (word == "unsigned_T") return cuda_name(unsigned_like(scalar));
    if (word == "wide_T") return cuda_name(wide_like(scalar));
    if (word == "unsigned_wide_T") return cuda_name(unsigned_like(wide_like(scalar)));
    if (word == "float_T") return is_double || bits == 64 ? "double" : "float";
    if (word == "bits_T") return std::to_string(bits);
    if (word == "last_bit_T") return std::to_string(bits - 1) + "u";
    if (word == "lowest_T") return limit(element, false);
    if (word == "highest_T") return limit(element, true);
    if (word == "half_epsilon_T") return is_double ? "0x1p-53" : "0x1p-24f";
    // Where squares leave the range that the length itself is in, the vector is scaled by powers of
    // two, and its length back.
    if (word == "scale_down_T") return is_double ? "0x1p-520" : "0x1p-70";
    if (word == "scale_up_T") return is_double ? "0x1p+600" : "0x1p+86";
    if (word == "small_sum_T") return is_double ? "0x1p-900" : "0x1p-100";
    return {};
}

/// `a.c` -> `a.{c}`
std::string with_component(std::string_view each) {
    std::string text;
    for (std::size_t i = 0; i < each.size(); ++i) {
        const bool found = each.substr(i).starts_with(".c") &&
                           (i + 2 == each.size() || !is_word_character(each[i + 2]));
        text += found ? ".{c}" : std::string(1, each[i]);
        if (found) ++i;
    }
    return text;
}

}  // namespace

std::string filled(std::string_view text, const Section::Name& name, ValueType type) {
    std::string made;
    while (!text.empty()) {
        if (!is_word_character(text.front())) {
            made += text.front();
            text.remove_prefix(1);
            continue;
        }
        const std::string_view word = text.substr(0, word_end(text));
        text.remove_prefix(word.size());
        if (word == "NAME" || word.starts_with("NAME_")) {
            made += name.name;
            made += word.substr(4);
        } else if (word == "BASE") {
            made += name.base;
        } else if (type.known() && (word == "EACH" || word == "SUM")) {
            std::size_t end = 0;
            int depth = 0;
            do {
                depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
                ++end;
            } while (depth > 0);
            const std::string each = with_component(filled(text.substr(1, end - 2), name, type));
            made += word == "EACH" ? by_components(type, each) : for_components(type, each, " + ");
            text.remove_prefix(end);
        } else {
            const auto meaning = type.known() ? meaning_of(word, type) : std::nullopt;
            made += meaning ? *meaning : std::string(word);
        }
    }
    return made;
}

}  // namespace parallax
