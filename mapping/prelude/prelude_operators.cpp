// Vectors of the prelude: the operators of OpenCL C, component by component.
#include <fmt/format.h>

#include "mapping/analyze/word_lists.hpp"
#include "mapping/prelude/prelude_parts.hpp"

namespace parallax {
namespace {

bool is_comparison(std::string_view operation) {
    return is_one_of(operation, {"==", "!=", "<", "<=", ">", ">="});
}
bool is_logical(std::string_view operation) {
    return operation == "&&" || operation == "||";
}
bool is_shift(std::string_view operation) {
    return operation == "<<" || operation == ">>";
}

std::string operator_function(std::string_view result, std::string_view operation,
                              std::string_view parameters, std::string_view value) {
    return function_of(fmt::format("{} operator{}({})", result, operation, parameters), value);
}

/// Whether the component is not zero. The class `half` has no such question, a float has.
std::string truth(ValueType type, std::string_view component) {
    return type.element == "half" ? fmt::format("float({})", component) : std::string(component);
}

/// The operator applied to two components.
std::string component_result(ValueType type, std::string_view operation, std::string_view left,
                             std::string_view right) {
    if (is_comparison(operation)) return fmt::format("-({} {} {})", left, operation, right);
    if (is_logical(operation)) {
        return fmt::format("-({} {} {})", truth(type, left), operation, truth(type, right));
    }
    if (is_shift(operation)) {
        const unsigned bits = 8 * element_bytes(type.element);
        return fmt::format("{} {} ({} & {})", left, operation, right, bits - 1);
    }
    // The product of two unsigned shorts can overflow an int.
    const bool as_unsigned = operation == "*" && type.element == "ushort";
    return fmt::format("{}{} {} {}", as_unsigned ? "1u * " : "", left, operation, right);
}

/// The same integers with or without a sign: OpenCL takes both as counts of a shift.
ValueType other_signedness(ValueType type) {
    if (is_signed_element(type.element)) return unsigned_like(type);
    return comparison_of(type);
}

Definition binary(ValueType type, std::string_view operation) {
    const bool compares = is_comparison(operation) || is_logical(operation);
    const ValueType result = compares ? comparison_of(type) : type;
    const std::string name = cuda_name(type);
    const bool shifts_bits = is_shift(operation);
    // A wider count than the element's is cut by the mask in any case.
    const std::string scalar = shifts_bits ? "int" : cuda_name(element_of(type));
    Definition made{"", {name_of(type), name_of(result)}};
    const auto add = [&](std::string_view left, std::string_view right, std::string_view a,
                         std::string_view b) {
        made.text +=
            operator_function(cuda_name(result), operation, fmt::format("{} a, {} b", left, right),
                              by_components(result, component_result(type, operation, a, b)));
    };
    add(name, name, "a.{c}", "b.{c}");
    if (shifts_bits) {
        const ValueType count = other_signedness(type);
        made.needs.push_back(name_of(count));
        add(name, cuda_name(count), "a.{c}", "b.{c}");
    }
    add(name, scalar, "a.{c}", "b");
    if (!shifts_bits) add(scalar, name, "a", "b.{c}");
    return made;
}

Definition assignment(ValueType type, std::string_view operation, bool is_volatile) {
    const std::string_view plain = operation.substr(0, operation.size() - 1);
    const std::string name = cuda_name(type);
    Definition made{"", {fmt::format("{} {}", name_of(type), plain)}};
    if (is_volatile) made.needs.push_back(name_of(type) + " volatile_copy");
    const auto add = [&](std::string_view right) {
        made.text +=
            is_volatile
                ? operator_function(name, operation,
                                    fmt::format("volatile {}& a, {} b", name, right),
                                    fmt::format("volatile_store(a, volatile_load(a) {} b)", plain))
                : operator_function(name + "&", operation, fmt::format("{}& a, {} b", name, right),
                                    fmt::format("a = a {} b", plain));
    };
    add(name);
    if (is_shift(plain)) {
        add(cuda_name(other_signedness(type)));
        add("int");
    } else {
        add(cuda_name(element_of(type)));
    }
    return made;
}

Definition increment(ValueType type, std::string_view operation) {
    const std::string name = cuda_name(type);
    const std::string_view one = type.element == "half" ? "half(1.0f)" : "1";
    const std::string next = fmt::format("a.{{c}} {} {}", operation.substr(1), one);
    return {
        operator_function(name + "&", operation, name + "& a", "a = " + by_components(type, next)) +
            device_function(
                fmt::format("{0} operator{1}({0}& a, int)", name, operation),
                fmt::format("const {} before = a; {}a; return before;", name, operation)),
        {name_of(type)}};
}

Definition volatile_increment(ValueType type, std::string_view operation) {
    const std::string name = cuda_name(type);
    const std::string next =
        fmt::format("{0} next = volatile_load(a); {1}next; volatile_store(a, next); return next;",
                    name, operation);
    return {
        device_function(fmt::format("{0} operator{1}(volatile {0}& a)", name, operation), next) +
            device_function(fmt::format("{0} operator{1}(volatile {0}& a, int)", name, operation),
                            fmt::format("const {} before = volatile_load(a); {}a; "
                                        "return before;",
                                        name, operation)),
        {fmt::format("{} {}", name_of(type), operation), name_of(type) + " volatile_copy"}};
}

/// Operators of a volatile half; the class has its own for other types.
Definition volatile_half(std::string_view operation) {
    if (operation == "++" || operation == "--") return volatile_increment({"half", 1}, operation);
    return {
        fmt::format("template <class T> __device__ inline half operator{0}=(volatile half& a, T "
                    "b) {{\n    return volatile_store(a, volatile_load(a) {0} b);\n}}\n",
                    operation.substr(0, 1)),
        {"half", "half volatile_copy"}};
}

Definition unary(ValueType type, ValueType result, std::string_view operation,
                 std::string_view each) {
    return {operator_function(cuda_name(result), operation, cuda_name(type) + " a",
                              by_components(result, each)),
            {name_of(type), name_of(result)}};
}

}  // namespace

std::optional<Definition> operator_definition(const PreludeKey& key) {
    const ValueType type = key.type;
    const std::string_view word = key.word;
    const bool is_volatile = key.rest == "volatile";
    const bool changes = is_one_of(word, {"+=", "-=", "*=", "/=", "++", "--"});
    if (type == ValueType{"half", 1} && is_volatile && changes) return volatile_half(word);
    if (!type.is_vector() || !(key.rest.empty() || is_volatile)) return {};
    const bool integers = !is_float_element(type.element);
    const auto is_binary = [&](std::string_view operation) {
        return is_one_of(operation, {"+", "-", "*", "/"}) ||
               (integers && is_one_of(operation, {"%", "&", "|", "^", "<<", ">>"}));
    };
    if (word.ends_with('=') && is_binary(word.substr(0, word.size() - 1))) {
        return assignment(type, word, is_volatile);
    }
    if (word == "++" || word == "--") {
        return is_volatile ? volatile_increment(type, word) : increment(type, word);
    }
    if (is_volatile) return {};
    if (is_binary(word) || is_comparison(word) || is_logical(word)) return binary(type, word);
    if (word == "neg") return unary(type, type, "-", "-a.{c}");
    if (word == "pos") return unary(type, type, "+", "a.{c}");
    if (word == "~" && integers) return unary(type, type, "~", "~a.{c}");
    if (word == "!") return unary(type, comparison_of(type), "!", "-!" + truth(type, "a.{c}"));
    return {};
}

}  // namespace parallax
