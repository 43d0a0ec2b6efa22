// Every key that the vectors of the prelude define something for.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "mapping/prelude/prelude_parts.hpp"

namespace parallax::prelude_tests {

inline constexpr std::array<std::string_view, 4> rounding_suffixes{"_rte", "_rtz", "_rtp", "_rtn"};

/// The words of keys, with their suffixes; not all of them for every type.
inline std::vector<std::string> vector_words() {
    std::vector<std::string> words{"ordered",    "make 1 1",
                                   "make 1 1 1", "make 1 1 1 1",
                                   "make 2 1",   "make 1 2",
                                   "make 2 2",   "make 2 1 1",
                                   "make 1 2 1", "make 1 1 2",
                                   "make 3 1",   "make 1 3",
                                   "make 4 4",   "make 4 2 1 1",
                                   "make 8 8",   "make 4 8 2 2",
                                   "splat",      "choose",
                                   "select",     "bitselect",
                                   "any",        "all",
                                   "shuffle",    "shuffle2",
                                   "vec_step",   "make 4",
                                   "neg",        "pos",
                                   "~",          "!",
                                   "++",         "--"};
    for (const std::string_view operation : {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"}) {
        words.emplace_back(operation);
        words.push_back(fmt::format("{}=", operation));
    }
    for (const std::string_view operation : {"==", "!=", "<", "<=", ">", ">=", "&&", "||"}) {
        words.emplace_back(operation);
    }
    for (const std::string_view name :
         {"x", "xy", "yx", "zyx", "xyzw", "wzyx", "xxyy", "rgba", "lo", "hi", "even", "odd", "s0",
          "s03", "S10", "s3210", "s01234567", "sfedcba98", "s0123456789abcdef"}) {
        words.push_back(fmt::format("swizzle {}", name));
        words.push_back(fmt::format("set {}", name));
    }
    for (const std::string_view name :
         {"isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal",
          "islessgreater", "isordered", "isunordered", "isnan", "isinf", "isfinite", "isnormal",
          "signbit"}) {
        words.emplace_back(name);
    }
    for (const std::string_view width : {"2", "3", "4", "8", "16"}) {
        words.push_back(fmt::format("vload{}", width));
        words.push_back(fmt::format("vstore{}", width));
    }
    for (const std::string_view width : {"", "2", "3", "4", "8", "16"}) {
        for (const std::string_view letter : {"", "a"}) {
            words.push_back(fmt::format("vload{}_half{}", letter, width));
            words.push_back(fmt::format("vstore{}_half{}", letter, width));
            for (const std::string_view mode : rounding_suffixes) {
                words.push_back(fmt::format("vstore{}_half{}{}", letter, width, mode));
            }
        }
    }
    return words;
}

/// The conversions to these elements, of vectors of this width.
inline std::vector<std::string> conversion_words(std::span<const std::string_view> elements) {
    std::vector<std::string> words;
    for (const std::string_view element : elements) {
        for (const unsigned width : {1u, 2u, 3u, 4u, 8u, 16u}) {
            const std::string name = name_of({element, width});
            words.push_back("as_" + name);
            for (const std::string_view saturates : {"", "_sat"}) {
                words.push_back(fmt::format("convert_{}{}", name, saturates));
                for (const std::string_view mode : rounding_suffixes) {
                    words.push_back(fmt::format("convert_{}{}{}", name, saturates, mode));
                }
            }
        }
    }
    return words;
}

/// The keys of `words` that define something for these types.
inline std::vector<std::string> keys_of(std::span<const std::string> words,
                                        std::span<const std::string_view> elements,
                                        std::span<const unsigned> widths) {
    std::vector<std::string> keys;
    for (const std::string& text : words) {
        const std::size_t blank = std::min(text.find(' '), text.size());
        const std::string rest = blank < text.size() ? text.substr(blank + 1) : "";
        for (const std::string_view element : elements) {
            for (const unsigned width : widths) {
                const ValueType type{element, width};
                if (vector_definition({type, text.substr(0, blank), rest})) {
                    keys.push_back(fmt::format("{} {}", name_of(type), text));
                }
            }
        }
    }
    return keys;
}

}  // namespace parallax::prelude_tests
