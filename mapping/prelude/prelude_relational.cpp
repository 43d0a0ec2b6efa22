// Vectors of the prelude: the relational functions of OpenCL C, and those that ask for a property.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/prelude/prelude_vectors.hpp"

namespace parallax {
namespace {

struct Relation {
    std::string_view name;
    unsigned arguments;
    std::string_view truth;  ///< of `a` and `b`
};

constexpr Relation relations[] = {
    {"isequal", 2, "{a} == {b}"},
    {"isnotequal", 2, "{a} != {b}"},
    {"isgreater", 2, "{a} > {b}"},
    {"isgreaterequal", 2, "{a} >= {b}"},
    {"isless", 2, "{a} < {b}"},
    {"islessequal", 2, "{a} <= {b}"},
    {"islessgreater", 2, "{a} < {b} || {a} > {b}"},
    {"isordered", 2, "{a} == {a} && {b} == {b}"},
    {"isunordered", 2, "{a} != {a} || {b} != {b}"},
    {"isnan", 1, "{a} != {a}"},
    {"isinf", 1, "{abs}({a}) == {infinity}"},
    {"isfinite", 1, "{abs}({a}) < {infinity}"},
    {"isnormal", 1, "{abs}({a}) >= {smallest} && {abs}({a}) < {infinity}"},
    {"signbit", 1, "{bits}({a}) < 0"},
};

/// CUDA has these of scalars, and they give 1 or 0.
bool is_of_cuda(std::string_view name) {
    return name == "isnan" || name == "isinf" || name == "isfinite" || name == "signbit";
}

std::string truth_of(const Relation& relation, std::string_view element,
                     std::string_view component) {
    const bool is_double = element == "double";
    const auto value = [&](char name) {
        const std::string of = fmt::format("{}{}", name, component);
        return element == "half" ? fmt::format("float({})", of) : of;
    };
    return fmt::format(fmt::runtime(relation.truth), fmt::arg("a", value('a')),
                       fmt::arg("b", value('b')), fmt::arg("abs", is_double ? "fabs" : "fabsf"),
                       fmt::arg("infinity", is_double ? "__longlong_as_double(0x7ff0000000000000ll)"
                                                      : "__int_as_float(0x7f800000)"),
                       fmt::arg("smallest", element == "half" ? "6.103515625e-05f"
                                            : is_double       ? "2.2250738585072014e-308"
                                                              : "1.17549435e-38f"),
                       fmt::arg("bits", is_double ? "__double_as_longlong" : "__float_as_int"));
}

std::optional<Definition> relation_definition(const Relation& relation, ValueType type) {
    if (!is_float_element(type.element)) return {};
    if (!type.is_vector() && type.element != "half" && is_of_cuda(relation.name)) {
        return Definition{};
    }
    const ValueType result = comparison_of(type);
    const std::string name = cuda_name(type);
    const std::string truth = truth_of(relation, type.element, type.is_vector() ? ".{c}" : "");
    const std::string value =
        type.is_vector() ? by_components(result, fmt::format("-({})", truth)) : truth;
    return Definition{
        device_function(fmt::format("{} {}({} a{})", cuda_name(result), relation.name, name,
                                    relation.arguments == 2 ? fmt::format(", {} b", name) : ""),
                        fmt::format("return {};", value)),
        {name_of(type), name_of(result)}};
}

/// OpenCL looks at the most significant bit of each component; scalars are treated alike.
std::optional<Definition> any_or_all(ValueType type, bool all) {
    if (!is_signed_element(type.element)) return {};
    std::string bits;
    for (unsigned i = 0; i < type.width; ++i) {
        if (i > 0) bits += all ? " & " : " | ";
        bits += type.is_vector() ? "x." + component_name(type, i) : "x";
    }
    if (type.is_vector()) bits = fmt::format("({})", bits);
    Definition made{"", {name_of(type)}};
    for (const std::string& name : parameter_names(type)) {
        made.text += device_function(fmt::format("int {}({} x)", all ? "all" : "any", name),
                                     fmt::format("return {} < 0;", bits));
    }
    return made;
}

/// In units of the element: a vector of three takes as much room as one of four.
Definition vec_step(ValueType type) {
    Definition made{"", {name_of(type)}};
    for (const std::string& name : parameter_names(type)) {
        made.text += device_function(fmt::format("int vec_step({})", name),
                                     fmt::format("return {};", type.width == 3 ? 4 : type.width));
    }
    return made;
}

}  // namespace

std::optional<Definition> relational_definition(const PreludeKey& key) {
    if (!key.rest.empty() || key.type.element == "void") return {};
    if (key.word == "any" || key.word == "all") return any_or_all(key.type, key.word == "all");
    if (key.word == "vec_step") return vec_step(key.type);
    const auto* const relation = std::ranges::find(relations, key.word, &Relation::name);
    if (relation == std::end(relations)) return {};
    return relation_definition(*relation, key.type);
}

}  // namespace parallax
