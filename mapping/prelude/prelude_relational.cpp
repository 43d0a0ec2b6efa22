// Vectors of the prelude: the relational functions of OpenCL C, and those that choose among
// components or bits.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/prelude/prelude_parts.hpp"

namespace parallax {
namespace {

struct Relation {
    std::string_view name, truth;  ///< of `a` and `b`
};

constexpr Relation relations[] = {
    {"isequal", "{a} == {b}"},
    {"isnotequal", "{a} != {b}"},
    {"isgreater", "{a} > {b}"},
    {"isgreaterequal", "{a} >= {b}"},
    {"isless", "{a} < {b}"},
    {"islessequal", "{a} <= {b}"},
    {"islessgreater", "{a} < {b} || {a} > {b}"},
    {"isordered", "{a} == {a} && {b} == {b}"},
    {"isunordered", "{a} != {a} || {b} != {b}"},
    {"isnan", "{a} != {a}"},
    {"isinf", "{abs}({a}) == {infinity}"},
    {"isfinite", "{abs}({a}) < {infinity}"},
    {"isnormal", "{abs}({a}) >= {smallest} && {abs}({a}) < {infinity}"},
    {"signbit", "{bits}({a}) < 0"},
};

std::string truth_of(const Relation& relation, std::string_view element) {
    const bool is_double = element == "double", is_half = element == "half";
    return fmt::format(fmt::runtime(relation.truth),
                       fmt::arg("a", is_half ? "float(a.{c})" : "a.{c}"),
                       fmt::arg("b", is_half ? "float(b.{c})" : "b.{c}"),
                       fmt::arg("abs", is_double ? "fabs" : "fabsf"),
                       fmt::arg("infinity", is_double ? "__longlong_as_double(0x7ff0000000000000ll)"
                                                      : "__int_as_float(0x7f800000)"),
                       fmt::arg("smallest", is_half     ? "6.103515625e-05f"
                                            : is_double ? "2.2250738585072014e-308"
                                                        : "1.17549435e-38f"),
                       fmt::arg("bits", is_double ? "__double_as_longlong" : "__float_as_int"));
}

std::optional<Definition> relation_definition(const Relation& relation, ValueType type) {
    if (!is_float_element(type.element)) return {};
    if (!type.is_vector() && type.element != "half" && is_predicate_of_cuda(relation.name)) {
        return Definition{};
    }
    const ValueType result = comparison_of(type);
    const std::string name = cuda_name(type), truth = truth_of(relation, type.element);
    const bool two = relation.truth.find("{b}") != relation.truth.npos;
    return Definition{
        function_of(fmt::format("{} {}({} a{})", cuda_name(result), relation.name, name,
                                two ? fmt::format(", {} b", name) : ""),
                    by_components(result, type.is_vector() ? fmt::format("-({})", truth) : truth)),
        {name_of(type), name_of(result)}};
}

/// OpenCL tests the most significant bit of each component; scalars are treated alike.
std::optional<Definition> any_or_all(ValueType type, std::string_view name) {
    if (!is_signed_element(type.element)) return {};
    std::string bits = "x";
    if (type.is_vector()) {
        bits = fmt::format("({})", for_components(type, "x.{c}", name == "all" ? " & " : " | "));
    }
    return Definition{functions_of_names(type, fmt::format("int {}({{T}} x)", name),
                                         fmt::format("return {} < 0;", bits)),
                      {name_of(type)}};
}

/// Whether the most significant bit of the condition's component is set.
std::string condition(ValueType type) {
    if (is_signed_element(type.element)) return "c.{c} < 0";
    return fmt::format("c.{{c}} >> {}", 8 * element_bytes(type.element) - 1);
}

Definition choose(ValueType type) {
    const std::string name = cuda_name(type), scalar = cuda_name(element_of(type));
    Definition made{"", {name_of(type), name_of(type) + " splat"}};
    for (const ValueType c : {comparison_of(type), unsigned_like(type)}) {
        made.needs.push_back(name_of(c));
        const auto add = [&](std::string_view a, std::string_view b, std::string_view value) {
            made.text += function_of(
                fmt::format("{} choose({} c, {} a, {} b)", name, cuda_name(c), a, b), value);
        };
        add(name, name, by_components(type, condition(c) + " ? a.{c} : b.{c}"));
        add(scalar, name, fmt::format("choose(c, splat_{}(a), b)", name));
        add(name, scalar, fmt::format("choose(c, a, splat_{}(b))", name));
        add(scalar, scalar, fmt::format("choose(c, splat_{0}(a), splat_{0}(b))", name));
    }
    return made;
}

Definition select(ValueType type) {
    Definition made{"", {name_of(type)}};
    if (!type.is_vector()) {
        const std::string name = cuda_name(type);
        for (const std::string& a : names_of_scalar(type)) {
            for (const std::string& b : names_of_scalar(type)) {
                made.text += "template <class C>\n";
                made.text +=
                    function_of(fmt::format("{} select({} a, {} b, C c)", name, a, b), "c ? b : a");
            }
        }
        return made;
    }
    for (const ValueType c : {comparison_of(type), unsigned_like(type)}) {
        made.needs.push_back(name_of(c));
        made.text += function_of(
            fmt::format("{0} select({0} a, {0} b, {1} c)", cuda_name(type), cuda_name(c)),
            by_components(type, condition(c) + " ? b.{c} : a.{c}"));
    }
    return made;
}

Definition bitselect(ValueType type) {
    Definition made{"", {name_of(type)}};
    std::string value = by_components(type, "(a.{c} & ~c.{c}) | (b.{c} & c.{c})");
    if (is_float_element(type.element) && type.is_vector()) {
        made.needs.push_back(key_of(element_of(type), "bitselect"));
        value = by_components(type, "bitselect(a.{c}, b.{c}, c.{c})");
    } else if (is_float_element(type.element)) {
        const std::string_view bits = unsigned_like(type).element;
        made.needs = {fmt::format("{} as_{}", type.element, bits),
                      fmt::format("{} as_{}", bits, type.element),
                      fmt::format("{} bitselect", bits)};
        value =
            fmt::format("as_{0}(bitselect(as_{1}(a), as_{1}(b), as_{1}(c)))", type.element, bits);
    }
    for (const std::string& a : names_of_scalar(type)) {
        for (const std::string& b : names_of_scalar(type)) {
            for (const std::string& c : names_of_scalar(type)) {
                made.text += function_of(
                    fmt::format("{} bitselect({} a, {} b, {} c)", cuda_name(type), a, b, c), value);
            }
        }
    }
    return made;
}

/// The components of `x`, and those of `y` behind them, by the low bits of a mask.
std::optional<Definition> shuffle(ValueType type, bool two) {
    if (!type.is_vector() || type.width == 3) return {};
    const std::string name = cuda_name(type);
    Definition made{"", {name_of(type)}};
    std::string parts = for_components(type, "x.{c}");
    if (two) parts += ", " + for_components(type, "y.{c}");
    const unsigned last = (two ? 2 : 1) * type.width - 1;
    for (const unsigned width : {2u, 4u, 8u, 16u}) {
        const ValueType result = with_width(type, width), mask = unsigned_like(result);
        made.needs.push_back(name_of(result));
        made.needs.push_back(name_of(mask));
        made.text += device_function(
            fmt::format("{0} {1}({2} x, {3}{4} mask)", cuda_name(result),
                        two ? "shuffle2" : "shuffle", name, two ? name + " y, " : "",
                        cuda_name(mask)),
            fmt::format("const {} from[] = {{{}}}; return {};", cuda_name(element_of(type)), parts,
                        by_components(result, fmt::format("from[mask.{{c}} & {}]", last))));
    }
    return made;
}

}  // namespace

std::optional<Definition> relational_definition(const PreludeKey& key) {
    const ValueType type = key.type;
    if (!key.rest.empty() || type.element == "void") return {};
    if (key.word == "any" || key.word == "all") return any_or_all(type, key.word);
    if (key.word == "vec_step") {
        // In units of the element: a vector of three takes as much room as one of four.
        const unsigned step = type.width == 3 ? 4 : type.width;
        return Definition{
            functions_of_names(type, "int vec_step({T})", fmt::format("return {};", step)),
            {name_of(type)}};
    }
    const auto* const relation = std::ranges::find(relations, key.word, &Relation::name);
    if (relation != std::end(relations)) return relation_definition(*relation, type);
    if (type.element == "bool") return {};
    if (key.word == "choose" && type.is_vector()) return choose(type);
    if (key.word == "select") return select(type);
    if (key.word == "bitselect") return bitselect(type);
    if (key.word == "shuffle" || key.word == "shuffle2") {
        return shuffle(type, key.word == "shuffle2");
    }
    return {};
}

}  // namespace parallax
