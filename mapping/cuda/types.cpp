// Reads types of CUDA C++.
#include "mapping/cuda/types.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "common/text/characters.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax::cuda_reading {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 28> names{{
    {"int8_t", "char"},     {"uint8_t", "uchar"},    {"int16_t", "short"},
    {"uint16_t", "ushort"}, {"int32_t", "int"},      {"uint32_t", "uint"},
    {"int64_t", "long"},    {"uint64_t", "ulong"},   {"size_t", "ulong"},
    {"ptrdiff_t", "long"},  {"uintptr_t", "ulong"},  {"intptr_t", "long"},
    {"ssize_t", "long"},    {"__half", "half"},      {"half", "half"},
    {"__half2", "half2"},   {"half2", "half2"},      {"float1", "float"},
    {"int1", "int"},        {"uint1", "uint"},       {"double1", "double"},
    {"u_int32_t", "uint"},  {"clock_t", "long"},     {"__int64", "long"},
    {"longlong1", "long"},  {"ulonglong1", "ulong"}, {"dim3", "packed_uint3"},
    {"wchar_t", "int"},
}};

bool is_passed_over(const Token& token) {
    return token.is_one_of({"volatile",
                            "struct",
                            "class",
                            "union",
                            "typename",
                            "static",
                            "inline",
                            "register",
                            "constexpr",
                            "__restrict__",
                            "__restrict",
                            "extern",
                            "__shared__",
                            "__constant__",
                            "__device__",
                            "__managed__",
                            "__host__",
                            "__forceinline__",
                            "__grid_constant__",
                            "mutable",
                            "__noinline__",
                            "thread_local"});
}

}  // namespace

std::string opencl_type(std::string_view cuda) {
    for (const auto& [own, other] : names) {
        if (cuda == own) return std::string(other);
    }
    std::string name(cuda);
    for (const std::string_view prefix : {"longlong", "ulonglong"}) {
        if (cuda.starts_with(prefix) && cuda.size() == prefix.size() + 1) {
            name = std::string(prefix.substr(0, prefix.size() - 4)) + cuda.back();
        }
    }
    const auto type = value_type_named(name);
    if (!type || type->width > 4) return {};
    return type->width == 3 ? "packed_" + name : name_of(*type);
}

std::string packed_vectors(std::string_view text) {
    std::string made;
    for (const std::string_view element : vector_elements) {
        const std::string name = fmt::format("packed_{}3", element);
        if (text.find(name) == text.npos) continue;
        made += fmt::format("typedef struct {{ {} x, y, z; }} {};\n", element, name);
    }
    for (const std::string name : {"__nv_bfloat16", "nv_bfloat16"}) {
        // Its bits.
        if (text.find(" " + name) != text.npos) made += fmt::format("typedef ushort {};\n", name);
    }
    return made;
}

bool is_opencl_word(std::string_view word) {
    return is_address_space(word) ||
           is_one_of(word, {"kernel", "__kernel", "read_only", "write_only", "read_write",
                            "sampler_t", "event_t", "pipe", "restrict", "generic", "bool2",
                            "vec_step", "complex", "imaginary", "quad"});
}

std::string as_word(std::string_view text) {
    std::string made;
    for (const char c : text) made += is_letter(c) || is_digit(c) ? c : '_';
    return made.empty() || is_digit(made[0]) ? "_" + made : made;
}

std::optional<TypeName> type_at(const Tokens& tokens, std::size_t i) {
    TypeName made;
    bool is_unsigned = false, is_signed = false, integer = false;
    std::string size;
    for (;; ++i) {
        const Token& token = tokens[i];
        if (token.kind != TokenKind::identifier && !tokens.is_scope(i)) break;
        if (token.is("const")) {
            made.is_const = true;
            continue;
        }
        if (token.is_one_of({"__align__", "alignas", "__attribute__"}) && tokens[i + 1].is("(")) {
            i = tokens.match(i + 1);
            continue;
        }
        if (is_passed_over(token)) {
            made.is_const = made.is_const || token.is("constexpr");
            continue;
        }
        const bool part = token.is_one_of({"unsigned", "signed", "long", "short", "int", "char"}) ||
                          (token.is("double") && size == "long");
        if (part && made.text.empty()) {
            integer = true;
            is_unsigned = is_unsigned || token.is("unsigned");
            is_signed = is_signed || token.is("signed");
            if (token.is_one_of({"long", "short", "char", "double"})) size = token.text;
            continue;
        }
        if (integer || !made.text.empty()) break;
        if (token.is("auto")) {
            made.is_auto = true;
            made.text = "int";
            continue;
        }
        if (is_shared_keyword(token.text) && !token.is("void")) return {};
        // `cuda::std::span<float>`, `::Params`
        const std::size_t first = i;
        std::size_t last = i;
        if (tokens.is_scope(i)) last = i += 2;
        for (;;) {
            if (const auto close = tokens.angle(i + 1)) last = i = *close;
            if (!tokens.is_scope(i + 1) || tokens[i + 3].kind != TokenKind::identifier) break;
            last = i = i + 3;
        }
        made.text = opencl_type(tokens[last].text);
        made.is_known = !made.text.empty();
        if (!made.is_known) made.text = tokens.text({first, last + 1});
    }
    if (integer) {
        const ValueType type = value_type_named(size.empty() ? "int" : size).value();
        made.text = name_of(is_unsigned ? unsigned_like(type) : type);
    }
    if (made.text.empty()) return {};
    made.is_known = made.is_known || integer;
    made.end = i;
    return made;
}

}  // namespace parallax::cuda_reading
