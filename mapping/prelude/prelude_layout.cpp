// Vectors of the prelude: the types, how they are put together and taken apart.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mapping/analyze/word_lists.hpp"
#include "mapping/prelude/prelude_parts.hpp"

namespace parallax {
namespace {

/// The structure and its maker.
Definition type_definition(ValueType type) {
    if (!type.is_vector() || is_cuda_type(type)) return {};
    const unsigned bytes = element_bytes(type.element);
    const std::string name = cuda_name(type);
    const std::string element = cuda_name(element_of(type)), members = for_components(type, "{c}");
    std::string text =
        wrapped(fmt::format("struct __align__({}) {} {{ {} {}; }};",
                            bytes * (type.width == 3 ? 4 : type.width), name, element, members),
                0);
    text += device_function(
        fmt::format("{} {}({})", name, maker_of(type), for_components(type, element + " {c}")),
        fmt::format("return {{{}}};", members));
    if (type.width == 4 && bytes == 8) text = "#if __CUDACC_VER_MAJOR__ < 13\n" + text + "#endif\n";
    if (type.element == "half") return {text, {"half"}};
    return {text};
}

/// Initialisation in braces, whose parts are evaluated in order.
std::optional<Definition> ordered_definition(ValueType type) {
    if (!type.is_vector()) return {};
    return Definition{
        fmt::format("struct ordered_{0} {{\n"
                    "    {0} made;\n"
                    "    template <class... Parts>\n"
                    "    __device__ ordered_{0}(Parts... parts) : made({1}(parts...)) {{}}\n"
                    "}};\n",
                    cuda_name(type), maker_of(type)),
        {name_of(type)}};
}

/// The widths in `text`: `2 1 1`; nothing where one of them is no width.
std::optional<std::vector<unsigned>> widths_of(std::string_view text) {
    std::vector<unsigned> widths;
    for (const std::string_view word : split(text, " ")) {
        const auto width = word == "1" ? 1 : width_named(word);
        if (!width) return {};
        widths.push_back(*width);
    }
    return widths;
}

std::optional<Definition> maker_definition(ValueType type, std::string_view rest) {
    if (!type.is_vector()) return {};
    const auto widths = widths_of(rest);
    if (!widths) return {};
    Definition made{"", {name_of(type)}};
    std::string parameters, values;
    unsigned total = 0;
    for (const unsigned width : *widths) {
        const ValueType part = with_width(type, width);
        const std::string name(1, static_cast<char>('a' + std::min<std::size_t>(total, 15)));
        const std::string comma = total > 0 ? ", " : "";
        parameters += fmt::format("{}{} {}", comma, cuda_name(part), name);
        values += comma + (width == 1 ? name : for_components(part, name + ".{c}"));
        made.needs.push_back(name_of(part));
        total += width;
        if (total > type.width) return {};
    }
    if (total != type.width) return {};
    if (widths->size() == type.width) return Definition{"", {name_of(type)}};
    made.text = device_function(
        fmt::format("{} {}({})", cuda_name(type), maker_of(type), parameters),
        widths->size() == 1 ? "return a;" : fmt::format("return {}({});", maker_of(type), values));
    return made;
}

std::optional<Definition> splat_definition(ValueType type) {
    if (!type.is_vector()) return {};
    return Definition{function_of(fmt::format("{0} splat_{0}({1} x)", cuda_name(type),
                                              cuda_name(element_of(type))),
                                  by_components(type, "x")),
                      {name_of(type)}};
}

std::optional<Definition> swizzle_definition(ValueType type, const std::string& name) {
    const auto chosen = type.is_vector() ? components_of(name, type.width) : std::nullopt;
    if (!chosen) return {};
    const ValueType result = with_width(type, static_cast<unsigned>(chosen->size()));
    std::string values;
    for (const char i : *chosen) {
        // The fourth of three is undefined: the third will do.
        const unsigned component = std::min(static_cast<unsigned>(i), type.width - 1);
        values +=
            fmt::format("{}v.{}", values.empty() ? "" : ", ", component_name(type, component));
    }
    if (result.is_vector()) values = fmt::format("{}({})", maker_of(result), values);
    return Definition{
        function_of(fmt::format("{} swizzle_{}({} v)", cuda_name(result), name, cuda_name(type)),
                    values),
        {name_of(type), name_of(result)}};
}

/// ` volatile` behind the components' name asks for what is done to a volatile vector.
bool take_volatile(std::string& name) {
    constexpr std::string_view behind = " volatile";
    const bool found = name.ends_with(behind);
    if (found) name.resize(name.size() - behind.size());
    return found;
}

std::optional<Definition> set_definition(ValueType type, std::string name) {
    const bool is_volatile = take_volatile(name);
    const auto chosen = type.is_vector() ? components_of(name, type.width) : std::nullopt;
    if (!chosen) return {};
    const ValueType value = with_width(type, static_cast<unsigned>(chosen->size()));
    std::string body;
    for (unsigned k = 0; k < value.width; ++k) {
        const char i = (*chosen)[k];
        if (std::ranges::count(*chosen, i) > 1) return {};
        if (static_cast<unsigned>(i) >= type.width) continue;
        const bool copies = is_volatile && type.element == "half";
        body += fmt::format(
            fmt::runtime(copies ? "volatile_store(v.{}, value{}); " : "v.{} = value{}; "),
            component_name(type, static_cast<unsigned>(i)),
            value.is_vector() ? "." + component_name(value, k) : "");
    }
    Definition made{
        device_function(fmt::format("{0} set_{1}({3}{2}& v, {0} value)", cuda_name(value), name,
                                    cuda_name(type), is_volatile ? "volatile " : ""),
                        body + "return value;"),
        {name_of(type), name_of(value)}};
    if (is_volatile) made.needs.push_back(name_of(type) + " volatile_copy");
    return made;
}

/// `v.xy++` and `++v.xy`.
std::optional<Definition> step_definition(ValueType type, std::string_view operation,
                                          std::string name) {
    const bool is_volatile = take_volatile(name);
    const auto chosen = type.is_vector() ? components_of(name, type.width) : std::nullopt;
    if (!chosen) return {};
    const ValueType value = with_width(type, static_cast<unsigned>(chosen->size()));
    std::string steps, parts;
    for (const char i : *chosen) {
        if (std::ranges::count(*chosen, i) > 1) return {};
        // The fourth of three is undefined: the third will do.
        const unsigned which = std::min(static_cast<unsigned>(i), type.width - 1);
        const std::string component = "v." + component_name(type, which);
        if (which == static_cast<unsigned>(i)) steps += fmt::format("{}{}; ", operation, component);
        parts += (parts.empty() ? "" : ", ") + component;
    }
    parts = fmt::format("{}({})", maker_of(value), parts);
    Definition made{"", {name_of(type), name_of(value)}};
    for (const bool after : {false, true}) {
        made.text += device_function(
            fmt::format("{} {}{}_{}({}{}& v)", cuda_name(value),
                        operation == "++" ? "increment" : "decrement", after ? "_after" : "", name,
                        is_volatile ? "volatile " : "", cuda_name(type)),
            after ? fmt::format("const {} before = {}; {}return before;", cuda_name(value), parts,
                                steps)
                  : fmt::format("{}return {};", steps, parts));
    }
    return made;
}

/// Between a volatile place and one that is not.
std::optional<Definition> volatile_copy_definition(ValueType type) {
    if (!type.is_vector() && type.element != "half") return {};
    Definition made{"", {name_of(type), "volatile_load"}};
    const std::string body = !type.is_vector() ? "to.bits = from.bits;"
                             : type.element == "half"
                                 ? for_components(type, "volatile_copy(to.{c}, from.{c});", " ")
                                 : for_components(type, "to.{c} = from.{c};", " ");
    if (type.is_vector() && type.element == "half") made.needs.emplace_back("half volatile_copy");
    for (const auto& [to, from] : {std::pair("", "const volatile "), {"volatile ", "const "}}) {
        made.text += device_function(
            fmt::format("void volatile_copy({0}{1}& to, {2}{1}& from)", to, cuda_name(type), from),
            body);
    }
    return made;
}

}  // namespace

std::optional<Definition> layout_definition(const PreludeKey& key) {
    const ValueType type = key.type;
    if (key.word.empty()) {
        // The class `half` is a matter of arithmetic, not of vectors.
        if (type == ValueType{"half", 1}) return {};
        return type_definition(type);
    }
    if (key.word == "make") return maker_definition(type, key.rest);
    if (key.word == "splat") return splat_definition(type);
    if (key.word == "swizzle") return swizzle_definition(type, key.rest);
    if (key.word == "set") return set_definition(type, key.rest);
    if (key.word == "ordered" && key.rest.empty()) return ordered_definition(type);
    if (key.word == "volatile_copy" && key.rest.empty()) return volatile_copy_definition(type);
    if ((key.word == "++" || key.word == "--") && !key.rest.empty() && key.rest != "volatile") {
        return step_definition(type, key.word, key.rest);
    }
    return {};
}

}  // namespace parallax
