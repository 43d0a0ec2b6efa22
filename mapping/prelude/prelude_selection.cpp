// Vectors of the prelude: functions that choose among components or bits.
#include <fmt/format.h>

#include "mapping/prelude/prelude_vectors.hpp"

namespace parallax {
namespace {

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
        const auto add = [&](std::string_view a, std::string_view b, std::string_view body) {
            made.text += device_function(
                fmt::format("{} choose({} c, {} a, {} b)", name, cuda_name(c), a, b), body);
        };
        add(name, name,
            fmt::format("return {};", by_components(type, condition(c) + " ? a.{c} : b.{c}")));
        add(scalar, name, fmt::format("return choose(c, splat_{}(a), b);", name));
        add(name, scalar, fmt::format("return choose(c, a, splat_{}(b));", name));
        add(scalar, scalar, fmt::format("return choose(c, splat_{0}(a), splat_{0}(b));", name));
    }
    return made;
}

Definition select(ValueType type) {
    const std::string name = cuda_name(type);
    Definition made{"", {name_of(type)}};
    if (!type.is_vector()) {
        for (const std::string& scalar : parameter_names(type)) {
            made.text += "template <class C>\n" +
                         device_function(fmt::format("{0} select({0} a, {0} b, C c)", scalar),
                                         "return c ? b : a;");
        }
        return made;
    }
    for (const ValueType c : {comparison_of(type), unsigned_like(type)}) {
        made.needs.push_back(name_of(c));
        made.text += device_function(
            fmt::format("{0} select({0} a, {0} b, {1} c)", name, cuda_name(c)),
            fmt::format("return {};", by_components(type, condition(c) + " ? b.{c} : a.{c}")));
    }
    return made;
}

Definition bitselect(ValueType type) {
    const std::string name = cuda_name(type);
    const std::string head = fmt::format("{0} bitselect({0} a, {0} b, {0} c)", name);
    if (!is_float_element(type.element)) {
        constexpr std::string_view each = "(a{} & ~c{}) | (b{} & c{})";
        const std::string_view member = type.is_vector() ? ".{c}" : "";
        const std::string chosen = fmt::format(fmt::runtime(each), member, member, member, member);
        const std::string value = type.is_vector() ? by_components(type, chosen) : chosen;
        std::string text;
        for (const std::string& spelling : parameter_names(type)) {
            text += device_function(fmt::format("{0} bitselect({0} a, {0} b, {0} c)", spelling),
                                    fmt::format("return {};", value));
        }
        return {text, {name_of(type)}};
    }
    if (type.is_vector()) {
        return {device_function(head,
                                fmt::format("return {};",
                                            by_components(type, "bitselect(a.{c}, b.{c}, c.{c})"))),
                {name_of(type), name_of(element_of(type)) + " bitselect"}};
    }
    const std::string bits(unsigned_like(type).element);
    return {device_function(head, fmt::format("return as_{0}(bitselect(as_{1}(a), as_{1}(b), "
                                              "as_{1}(c)));",
                                              type.element, bits)),
            {fmt::format("{} as_{}", type.element, bits),
             fmt::format("{} as_{}", bits, type.element), bits + " bitselect"}};
}

/// The components of `x`, and those of `y` behind them, by the low bits of a mask.
std::optional<Definition> shuffle(ValueType type, bool two) {
    if (!type.is_vector() || type.width == 3) return {};
    const std::string name = cuda_name(type);
    Definition made{"", {name_of(type)}};
    std::string parts;
    for (const std::string_view vector : {"x", "y"}) {
        if (vector == "y" && !two) continue;
        for (unsigned i = 0; i < type.width; ++i) {
            parts +=
                fmt::format("{}{}.{}", parts.empty() ? "" : ", ", vector, component_name(type, i));
        }
    }
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

std::optional<Definition> selection_definition(const PreludeKey& key) {
    const std::string_view element = key.type.element;
    if (!key.rest.empty() || element == "void" || element == "bool") return {};
    if (key.word == "choose" && key.type.is_vector()) return choose(key.type);
    if (key.word == "select") return select(key.type);
    if (key.word == "bitselect") return bitselect(key.type);
    if (key.word == "shuffle") return shuffle(key.type, false);
    if (key.word == "shuffle2") return shuffle(key.type, true);
    return {};
}

}  // namespace parallax
