// Computes the types of operators, numbers and built-in constants.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "mapping/analyze/syntax.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

int rank_of(std::string_view element) {
    static constexpr std::array<std::string_view, 7> ranks{"int",  "uint",  "long",  "ulong",
                                                           "half", "float", "double"};
    const auto found = std::ranges::find(ranks, element);
    return found == ranks.end() ? 0 : static_cast<int>(found - ranks.begin());
}

bool compares(std::string_view operation) {
    return is_one_of(operation, {"==", "!=", "<", ">", "<=", ">=", "&&", "||"});
}

}  // namespace

Type promoted(const Type& type) {
    if (!type.is_scalar() || is_float_element(type.value.element)) return type;
    return element_bytes(type.value.element) < 4 ? type_of("int") : type;
}

Type binary_type(std::string_view operation, const Type& left, const Type& right) {
    if (operation == ",") return right;
    if (left.is_vector() || right.is_vector()) {
        const Type& vector = left.is_vector() ? left : right;
        return compares(operation) ? Type{comparison_of(vector.value)} : vector;
    }
    if (compares(operation)) {
        // When an operand is unknown the result may be a vector.
        return left.known() && right.known() ? type_of("int") : Type{};
    }
    if (left.pointers > 0 && right.pointers > 0) return type_of("long");
    if (left.pointers > 0) return left;
    if (right.pointers > 0) return right;
    if (!left.is_scalar()) return {};
    if (operation == "<<" || operation == ">>") return right.is_scalar() ? promoted(left) : Type{};
    if (!right.is_scalar()) return {};
    const Type a = promoted(left), b = promoted(right);
    return rank_of(a.value.element) < rank_of(b.value.element) ? b : a;
}

Type without_promotion(const Type& left, const Type& right) {
    const auto is_narrow = [](const Type& one) {
        return one.is_scalar() && !is_float_element(one.value.element) &&
               element_bytes(one.value.element) < 4;
    };
    if (!is_narrow(left) || !is_narrow(right)) return binary_type("+", left, right);
    const unsigned a = element_bytes(left.value.element), b = element_bytes(right.value.element);
    if (a != b) return a < b ? right : left;
    return is_signed_element(left.value.element) ? right : left;
}

Type number_type(std::string_view text) {
    if (text.starts_with('\'')) return type_of("int");
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (text.find('.') != text.npos || text.find_first_of(hex ? "pP" : "eE") != text.npos) {
        const char last = text.back();
        if (last == 'h' || last == 'H') return type_of("half");
        return type_of(last == 'f' || last == 'F' ? "float" : "double");
    }
    const bool is_unsigned = text.find_first_of("uU") != text.npos;
    const bool is_long = text.find_first_of("lL") != text.npos;
    const bool binary = text.starts_with("0b") || text.starts_with("0B");
    const int base = hex ? 16 : binary ? 2 : text.starts_with('0') ? 8 : 10;
    std::uint64_t value = ~std::uint64_t{0};  // of what fits into no type
    std::from_chars(text.data() + (hex || binary ? 2 : 0), text.data() + text.size(), value, base);
    // The first type that holds the value; without a suffix a decimal number is never unsigned.
    const bool may_be_unsigned = is_unsigned || base != 10;
    if (!is_long && !is_unsigned && value <= 0x7fffffff) return type_of("int");
    if (!is_long && may_be_unsigned && value <= 0xffffffff) return type_of("uint");
    if (!is_unsigned && value <= 0x7fffffffffffffff) return type_of("long");
    return type_of("ulong");
}

Type constant_type(std::string_view name) {
    if (name == "true" || name == "false") return type_of("bool");
    if (is_one_of(name, {"INFINITY", "NAN", "MAXFLOAT", "HUGE_VALF"})) return type_of("float");
    if (name == "HUGE_VAL") return type_of("double");
    if (name.starts_with("CLK_") && name.ends_with("_MEM_FENCE")) return type_of("uint");
    if (is_one_of(name, {"__LINE__", "__OPENCL_VERSION__", "__OPENCL_C_VERSION__"}) ||
        starts_with_any(name, {"CL_VERSION_", "FP_ILOGB"})) {
        return type_of("int");
    }
    if (starts_with_any(name, {"FLT_", "DBL_", "HALF_"})) {
        if (is_one_of(name.substr(name.find('_') + 1),
                      {"DIG", "MANT_DIG", "RADIX", "MAX_10_EXP", "MAX_EXP", "MIN_10_EXP", "MIN_EXP",
                       "ROUNDS"})) {
            return type_of("int");
        }
        if (!name.starts_with("H")) return type_of(name.starts_with("F") ? "float" : "double");
        if (is_one_of(name, {"HALF_MAX", "HALF_MIN", "HALF_EPSILON"})) return type_of("half");
    }
    if (name.starts_with("M_")) {
        return type_of(name.ends_with("_F") ? "float" : name.ends_with("_H") ? "half" : "double");
    }
    if (name == "UINT_MAX") return type_of("uint");
    if (name == "ULONG_MAX") return type_of("ulong");
    if (name == "LONG_MAX" || name == "LONG_MIN") return type_of("long");
    if ((ends_with_any(name, {"_MAX", "_MIN"}) || name == "CHAR_BIT") &&
        starts_with_any(name, {"CHAR_", "SCHAR_", "UCHAR_", "SHRT_", "USHRT_", "INT_"})) {
        return type_of("int");
    }
    return {};
}

}  // namespace parallax
