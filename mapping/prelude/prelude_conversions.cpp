// Vectors of the prelude: `convert_int4_sat_rte` and its family, and `as_int4`; of scalars as well.
#include <fmt/format.h>

#include "mapping/analyze/builtins.hpp"
#include "mapping/prelude/prelude_parts.hpp"

namespace parallax {
namespace {

/// The name of the function that converts a scalar.
std::string scalar_name(const Conversion& one) {
    return fmt::format("convert_{}{}{}", one.to.element, one.saturates ? "_sat" : "", one.mode);
}

/// One scalar becoming another. Without a body it is a plain cast of `x`.
struct ScalarConversion {
    std::string body = {};
    std::vector<std::string> needs = {};
};

unsigned value_bits(std::string_view element) {
    if (element == "bool") return 1;
    return 8 * element_bytes(element) - (is_signed_element(element) ? 1 : 0);
}

/// The largest and the smallest value of an integer type, as literals with this suffix.
std::string largest(std::string_view element, std::string_view suffix) {
    const unsigned bits = value_bits(element);
    return fmt::format("{}{}", bits == 64 ? ~0ull : (1ull << bits) - 1, suffix);
}
std::string smallest(std::string_view element, std::string_view suffix) {
    if (!is_signed_element(element)) return "0";
    const unsigned bits = value_bits(element);
    if (bits < 31) return fmt::format("-{}", 1u << bits);
    // The literal without the minus sign would not fit.
    return fmt::format("-{}{} - 1", (1ull << bits) - 1, suffix);
}

std::string suffix_of(std::string_view element) {
    return fmt::format("{}{}", is_signed_element(element) ? "" : "u",
                       element_bytes(element) == 8 ? "ll" : "");
}

std::string clamped(std::string_view from, std::string_view to) {
    const bool is_signed = is_signed_element(from), to_signed = is_signed_element(to);
    const std::string suffix = suffix_of(from);
    std::string text = "return ";
    if (is_signed && (!to_signed || value_bits(from) > value_bits(to))) {
        const std::string low = smallest(to, suffix);
        text += fmt::format("x < {0} ? {0} : ", low);
    }
    if (value_bits(from) > value_bits(to)) {
        text += fmt::format("x > {} ? {} : ", largest(to, suffix), largest(to, suffix_of(to)));
    }
    return text + fmt::format("({})x;", cuda_name({to}));
}

ScalarConversion between_integers(std::string_view from, const Conversion& conversion) {
    const std::string_view to = conversion.to.element;
    const bool fits =
        value_bits(to) >= value_bits(from) && (is_signed_element(to) || !is_signed_element(from));
    if (!conversion.saturates || fits) return {};
    return {clamped(from, to)};
}

ScalarConversion float_to_integer(std::string_view from, const Conversion& conversion) {
    const bool is_double = from == "double";
    const std::string_view to = conversion.to.element;
    const std::string to_name = cuda_name({to});
    std::string value = from == "half" ? "float(x)" : "x";
    const std::string_view function = conversion.mode == "_rte"   ? "rint"
                                      : conversion.mode == "_rtp" ? "ceil"
                                      : conversion.mode == "_rtn" ? "floor"
                                                                  : "";
    if (!function.empty()) value = fmt::format("{}{}({})", function, is_double ? "" : "f", value);
    if (!conversion.saturates) {
        if (function.empty() && from != "half") return {};
        return {fmt::format("return ({}){};", to_name, value)};
    }
    std::string text;
    if (value != "x") {
        text = fmt::format("const {} r = {}; ", is_double ? "double" : "float", value);
        value = "r";
    }
    const std::string_view float_suffix = is_double ? "" : "f";
    const unsigned bits = value_bits(to);
    // Powers of two are exact in both types of floating point.
    const std::string power = bits == 64 ? fmt::format("18446744073709551616.0{}", float_suffix)
                                         : fmt::format("{}.0{}", 1ull << bits, float_suffix);
    const std::string low =
        is_signed_element(to) ? "-" + power : fmt::format("0.0{}", float_suffix);
    text += fmt::format("return {0} != {0} ? 0 : {0} <= {1} ? {2} : {0} >= {3} ? {4} : ({5}){0};",
                        value, low, smallest(to, suffix_of(to)), power, largest(to, suffix_of(to)),
                        to_name);
    return {text};
}

/// CUDA's name of the type in `__ll2float_rz`.
std::string_view intrinsic_name(std::string_view element) {
    if (element == "long") return "ll";
    if (element == "ulong") return "ull";
    return element;
}

ScalarConversion to_half(std::string_view from, const Conversion& conversion) {
    const std::string mode(conversion.mode.empty() ? "_rte" : conversion.mode);
    // Integers that a float does not hold exactly are beyond every half, whatever the rounding.
    const bool is_integer = !is_float_element(from);
    return {fmt::format("return as_half(half_bits{}({}));", mode, is_integer ? "(float)x" : "x"),
            {fmt::format("{} half_bits{}", from == "double" ? "double" : "float", mode),
             "ushort as_half"}};
}

ScalarConversion to_float(std::string_view from, const Conversion& conversion) {
    const std::string_view to = conversion.to.element;
    if (from == "half") return {fmt::format("return ({})float(x);", to)};
    const unsigned exact = to == "float" ? 24 : 53;
    const bool fits = from == "float" || (from != "double" && value_bits(from) <= exact);
    if (fits || conversion.mode.empty() || conversion.mode == "_rte") return {};
    const std::string_view rounding = conversion.mode == "_rtz"   ? "rz"
                                      : conversion.mode == "_rtp" ? "ru"
                                                                  : "rd";
    return {fmt::format("return __{}2{}_{}(x);", intrinsic_name(from), to, rounding)};
}

ScalarConversion scalar_conversion(std::string_view from, const Conversion& conversion) {
    const std::string_view to = conversion.to.element;
    if (from == to) return {};
    if (!is_float_element(to)) {
        return is_float_element(from) ? float_to_integer(from, conversion)
                                      : between_integers(from, conversion);
    }
    return to == "half" ? to_half(from, conversion) : to_float(from, conversion);
}

std::optional<Definition> convert_definition(ValueType from, const std::string& word) {
    const auto conversion = conversion_named(word);
    if (!conversion || from.width != conversion->to.width || from.element == "void") return {};
    const ValueType to = conversion->to;
    const ScalarConversion scalar = scalar_conversion(from.element, *conversion);
    Definition made{"", {name_of(from), name_of(to)}};
    std::string body = scalar.body;
    if (from == to) {
        body = "return x;";
    } else if (body.empty()) {
        const std::string cast = fmt::format("({})x.{{c}}", cuda_name({to.element}));
        body = fmt::format("return {};", by_components(to, cast));
    } else if (from.is_vector()) {
        const std::string name = scalar_name(*conversion);
        made.needs.push_back(key_of(element_of(from), name));
        body = fmt::format("return {};", by_components(to, name + "(x.{c})"));
    } else {
        made.needs.insert(made.needs.end(), scalar.needs.begin(), scalar.needs.end());
    }
    made.text = functions_of_names(from, fmt::format("{} {}({{T}} x)", cuda_name(to), word), body);
    return made;
}

/// The bits of the component `x` as a scalar of the same size, where there is an expression for it.
std::string bits_as(std::string_view from, std::string_view to) {
    static constexpr std::string_view intrinsics[][3] = {
        {"float", "int", "__float_as_int(x.{c})"},
        {"float", "uint", "__float_as_uint(x.{c})"},
        {"int", "float", "__int_as_float(x.{c})"},
        {"uint", "float", "__uint_as_float(x.{c})"},
        {"double", "long", "__double_as_longlong(x.{c})"},
        {"double", "ulong", "(unsigned long long)__double_as_longlong(x.{c})"},
        {"long", "double", "__longlong_as_double(x.{c})"},
        {"ulong", "double", "__longlong_as_double((long long)x.{c})"},
    };
    for (const auto& [source, target, expression] : intrinsics) {
        if (source == from && target == to) return std::string(expression);
    }
    if (is_float_element(from) || is_float_element(to)) return {};
    return fmt::format("({})x.{{c}}", cuda_name({to}));
}

unsigned bytes_of(ValueType type) {
    return element_bytes(type.element) * (type.width == 3 ? 4 : type.width);
}

std::optional<Definition> as_definition(ValueType from, const std::string& word) {
    const auto to = type_of_bits(word);
    if (!to || from.element == "bool" || bytes_of(from) == 0 || bytes_of(*to) != bytes_of(from)) {
        return {};
    }
    const std::string each =
        from.width == to->width ? bits_as(from.element, to->element) : std::string();
    std::string body;
    if (from == *to) {
        body = "return x;";
    } else if (each.empty()) {
        body =
            fmt::format("{} made; memcpy(&made, &x, sizeof(made)); return made;", cuda_name(*to));
    } else {
        body = fmt::format("return {};", by_components(*to, each));
    }
    return Definition{
        functions_of_names(from, fmt::format("{} {}({{T}} x)", cuda_name(*to), word), body),
        {name_of(from), name_of(*to)}};
}

}  // namespace

std::optional<Definition> conversion_definition(const PreludeKey& key) {
    if (!key.rest.empty()) return {};
    if (auto made = as_definition(key.type, key.word)) return made;
    return convert_definition(key.type, key.word);
}

}  // namespace parallax
