// The vectors of the prelude: the way from a key to the family that defines it.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/prelude/prelude_parts.hpp"

namespace parallax {
namespace {

constexpr std::size_t columns = 100;
constexpr std::array<unsigned, 6> all_widths{1, 2, 3, 4, 8, 16};

std::optional<Definition> typed_definition(const PreludeKey& key) {
    for (const auto family : {layout_definition, operator_definition, relational_definition,
                              memory_definition, conversion_definition}) {
        if (auto definition = family(key)) return definition;
    }
    return {};
}

/// The keys of those among the types for which `key` means something.
std::vector<std::string> typed_keys(const PreludeKey& key,
                                    std::span<const std::string_view> elements,
                                    std::span<const unsigned> widths) {
    std::vector<std::string> keys;
    PreludeKey typed = key;
    for (const std::string_view element : elements) {
        for (const unsigned width : widths) {
            typed.type = {element, width};
            if (!typed_definition(typed)) continue;
            keys.push_back(fmt::format("{} {}{}{}", name_of(typed.type), key.word,
                                       key.rest.empty() ? "" : " ", key.rest));
        }
    }
    return keys;
}

/// A key without a type selects those of the common types. Definitions that only other types have
/// are made for these.
std::vector<std::string> usual_keys(const PreludeKey& key) {
    static constexpr std::array<std::string_view, 4> usual{"float", "int", "uint", "uchar"};
    const std::span<const unsigned> widths(all_widths);
    std::vector<std::string> keys = typed_keys(key, usual, widths.first(4));
    if (keys.empty()) keys = typed_keys(key, usual, widths.subspan(4));
    if (keys.empty()) keys = typed_keys(key, vector_elements, all_widths);
    return keys;
}

/// `splat_float4` names its type itself.
std::optional<Definition> splat_named(std::string_view name) {
    for (const std::string_view element : vector_elements) {
        for (const unsigned width : vector_widths) {
            const ValueType type{element, width};
            if (cuda_name(type) == name) return Definition{"", {name_of(type) + " splat"}};
        }
    }
    return {};
}

}  // namespace

std::optional<Definition> vector_definition(const PreludeKey& key) {
    if (key.type.known()) return typed_definition(key);
    if (key.word.empty()) return {};
    if (key.word.starts_with("splat_")) return splat_named(key.word.substr(6));
    std::vector<std::string> keys = usual_keys(key);
    if (keys.empty()) return {};
    return Definition{"", std::move(keys)};
}

bool is_vector_word(std::string_view word) {
    if (word == "make" || word == "swizzle" || word == "set") return true;
    if (word.starts_with("splat_")) return splat_named(word.substr(6)).has_value();
    // Most words of a text are names of its own: nothing is made for each type but the question.
    PreludeKey key{.word = std::string(word)};
    return !word.empty() && std::ranges::any_of(vector_elements, [&](std::string_view element) {
        return std::ranges::any_of(all_widths, [&](unsigned width) {
            key.type = {element, width};
            return typed_definition(key).has_value();
        });
    });
}

std::string key_of(ValueType type, std::string_view word) {
    return fmt::format("{} {}", name_of(type), word);
}

std::string maker_key(ValueType type) {
    std::string word = "make";
    for (unsigned i = 0; i < type.width; ++i) word += " 1";
    return key_of(type, word);
}

std::string for_components(ValueType type, std::string_view each, std::string_view between) {
    std::vector<std::string> parts;
    for (unsigned i = 0; i < type.width; ++i) {
        parts.push_back(fmt::format(fmt::runtime(each), fmt::arg("c", component_name(type, i)),
                                    fmt::arg("i", i)));
    }
    return fmt::format("{}", fmt::join(parts, between));
}

std::string by_components(ValueType type, std::string_view each) {
    if (type.is_vector()) return fmt::format("{}({})", maker_of(type), for_components(type, each));
    std::string text(each);
    for (std::size_t at; (at = text.find(".{c}")) != text.npos;) text.erase(at, 4);
    return for_components(type, text);
}

std::string wrapped(std::string_view text, std::size_t indent) {
    std::string lines;
    for (std::size_t margin = indent; !text.empty(); margin = indent + 4) {
        const std::size_t room = columns - margin;
        std::size_t end = text.size();
        if (end > room) {
            const std::size_t comma = text.rfind(", ", room - 1);
            end = comma == text.npos ? text.rfind(' ', room) : comma + 1;
            if (end == text.npos) end = text.size();
        }
        lines += fmt::format("{}{}\n", std::string(margin, ' '), text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string device_function(std::string_view head, std::string_view body) {
    const std::string line = fmt::format("__device__ inline {} {{ {} }}", head, body);
    if (line.size() <= columns) return line + '\n';
    std::string text = wrapped(fmt::format("__device__ inline {} {{", head), 0);
    while (!body.empty()) {
        // A statement a line.
        const std::size_t end = std::min(body.find("; "), body.size() - 1) + 1;
        text += wrapped(body.substr(0, end), 4);
        body.remove_prefix(std::min(end + 1, body.size()));
    }
    return text + "}\n";
}

std::string function_of(std::string_view head, std::string_view value) {
    return device_function(head, fmt::format("return {};", value));
}

std::vector<std::string> names_of_scalar(ValueType type) {
    std::vector<std::string> names{cuda_name(type)};
    if (type == ValueType{"long", 1}) names.emplace_back("long");
    if (type == ValueType{"ulong", 1}) names.emplace_back("unsigned long");
    return names;
}

std::string functions_of_names(ValueType type, std::string_view head, std::string_view body) {
    std::string text;
    for (const std::string& name : names_of_scalar(type)) {
        text += device_function(fmt::format(fmt::runtime(head), fmt::arg("T", name)), body);
    }
    return text;
}

ValueType element_of(ValueType type) {
    return {type.element, 1};
}

ValueType with_width(ValueType type, unsigned width) {
    return {type.element, width};
}

}  // namespace parallax
