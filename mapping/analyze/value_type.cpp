// Names and sizes of scalar and vector types, in OpenCL C and in CUDA C++.
#include "mapping/analyze/value_type.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace parallax {
namespace {

struct Element {
    std::string_view opencl;
    unsigned bytes;
    std::string_view cuda;         ///< the scalar
    std::string_view cuda_vector;  ///< prefix of the names of CUDA's vectors
};

constexpr Element elements[] = {
    {"char", 1, "signed char", "char"},
    {"uchar", 1, "unsigned char", "uchar"},
    {"short", 2, "short", "short"},
    {"ushort", 2, "unsigned short", "ushort"},
    {"int", 4, "int", "int"},
    {"uint", 4, "unsigned int", "uint"},
    {"long", 8, "long long", "longlong"},
    {"ulong", 8, "unsigned long long", "ulonglong"},
    {"half", 2, "half", "half"},
    {"float", 4, "float", "float"},
    {"double", 8, "double", "double"},
    {"bool", 1, "bool", ""},
    {"void", 1, "void", ""},
};

const Element* element_named(std::string_view name) {
    const auto* const found = std::ranges::find(elements, name, &Element::opencl);
    return found == std::end(elements) ? nullptr : found;
}

/// The integer type of `bytes` bytes; unknown where there is none.
ValueType integers(unsigned bytes, bool is_signed, unsigned width) {
    for (const Element& one : std::span(elements).first(8)) {
        if (one.bytes == bytes && (one.opencl.front() != 'u') == is_signed) {
            return {one.opencl, width};
        }
    }
    return {};
}

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return {};
}

}  // namespace

std::string name_of(ValueType type) {
    if (!type.is_vector()) return std::string(type.element);
    return fmt::format("{}{}", type.element, type.width);
}

bool is_size_name(std::string_view word) {
    return word == "size_t" || word == "ptrdiff_t" || word == "uintptr_t" || word == "intptr_t";
}

std::optional<ValueType> value_type_named(std::string_view word) {
    if (word == "size_t" || word == "uintptr_t") return ValueType{"ulong", 1};
    if (word == "ptrdiff_t" || word == "intptr_t") return ValueType{"long", 1};
    if (const Element* element = element_named(word)) return ValueType{element->opencl, 1};
    const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
    const auto* const found = std::ranges::find(vector_elements, word.substr(0, digits));
    const auto width = width_named(word.substr(digits));
    if (found == vector_elements.end() || !width) return {};
    return ValueType{*found, *width};
}

std::optional<unsigned> width_named(std::string_view digits) {
    if (digits.empty()) return 1;
    for (const unsigned width : vector_widths) {
        if (digits == std::to_string(width)) return width;
    }
    return {};
}

unsigned element_bytes(std::string_view element) {
    const Element* found = element_named(element);
    return found ? found->bytes : 0;
}

bool is_float_element(std::string_view element) {
    return element == "float" || element == "double" || element == "half";
}

bool is_signed_element(std::string_view element) {
    return element == "char" || element == "short" || element == "int" || element == "long";
}

ValueType comparison_of(ValueType type) {
    if (!type.known()) return {};
    if (!type.is_vector()) return {"int", 1};
    return integers(element_bytes(type.element), true, type.width);
}

bool is_cuda_type(ValueType type) {
    if (type.element == "half") return false;
    if (!type.is_vector()) return true;
    // Vectors of four 8-byte elements are aligned to 32 bytes in OpenCL; CUDA's only since 13.
    return type.width == 2 || (type.width == 4 && element_bytes(type.element) < 8);
}

ValueType unsigned_like(ValueType type) {
    return integers(element_bytes(type.element), false, type.width);
}

ValueType wide_like(ValueType type) {
    if (is_float_element(type.element)) return {};
    return integers(2 * element_bytes(type.element), is_signed_element(type.element), type.width);
}

std::string cuda_name(ValueType type) {
    const Element* element = element_named(type.element);
    if (!element) return {};
    if (!type.is_vector()) return std::string(element->cuda);
    std::string name = fmt::format("{}{}", element->cuda_vector, type.width);
    if (type.width == 3) return fmt::format("{}_{}a", name, 4 * element->bytes);
    if (type.width == 4 && element->bytes == 8) return name + "_32a";
    return name;
}

std::string maker_of(ValueType type) {
    return "make_" + cuda_name(type);
}

std::string component_name(ValueType type, unsigned i) {
    if (type.width <= 4) return std::string(1, "xyzw"[i]);
    return {'s', "0123456789abcdef"[i]};
}

std::optional<std::string> components_of(std::string_view name, unsigned width) {
    const unsigned half = width == 3 ? 2 : width / 2;
    std::string indices;
    if (name == "lo" || name == "hi" || name == "even" || name == "odd") {
        if (width < 2) return {};
        for (unsigned i = 0; i < half; ++i) {
            indices += static_cast<char>(name == "lo"     ? i
                                         : name == "hi"   ? half + i
                                         : name == "even" ? 2 * i
                                                          : 2 * i + 1);
        }
    } else if (name.size() > 1 && (name[0] == 's' || name[0] == 'S')) {
        for (const char c : name.substr(1)) {
            const auto digit = hex_digit(c);
            if (!digit) return {};
            indices += static_cast<char>(*digit);
        }
    } else {
        for (const std::string_view letters : {"xyzw", "rgba"}) {
            if (name.find_first_not_of(letters) != name.npos) continue;
            for (const char c : name) indices += static_cast<char>(letters.find(c));
        }
    }
    static constexpr std::size_t counts[] = {1, 2, 3, 4, 8, 16};
    if (std::ranges::find(counts, indices.size()) == std::end(counts)) return {};
    // The fourth of three, as `hi` and `odd` of a vector of three select it, is undefined.
    const unsigned bound = width == 0 ? 16 : width == 3 ? 4 : width;
    for (const char i : indices) {
        if (static_cast<unsigned>(i) >= bound) return {};
    }
    return indices;
}

}  // namespace parallax
