// Makes the definitions of the prelude's functions from the families that they belong to.
#include "mapping/prelude/prelude_functions.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace parallax {
namespace {

constexpr std::string_view letters = "cCsSiIlLhfd";
constexpr std::array<std::string_view, 11> elements = {
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"};
constexpr std::string_view parameter_names = "abcd";

/// 0 for none.
char letter_of(std::string_view element) {
    const auto* const found = std::ranges::find(elements, element);
    return found == elements.end() ? '\0' : letters[std::size_t(found - elements.begin())];
}

std::string_view unsigned_element(unsigned bytes) {
    return bytes == 1 ? "uchar" : bytes == 2 ? "ushort" : bytes == 4 ? "uint" : "ulong";
}

bool is_pointer(char code) {
    return code == 'V' || code == 'I';
}

std::string parameters(std::string_view codes, ValueType type) {
    std::string text;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        text += fmt::format("{}{}{} {}", i > 0 ? ", " : "", cuda_name(type_meant(codes[i], type)),
                            is_pointer(codes[i]) ? "*" : "", parameter_names[i]);
    }
    return text;
}

std::string limit(std::string_view element, bool largest) {
    const unsigned bits = 8 * element_bytes(element);
    if (!is_signed_element(element)) {
        if (!largest) return "0";
        return bits == 64 ? "0xffffffffffffffffull" : fmt::format("{}u", (1ull << bits) - 1);
    }
    if (bits == 64) return largest ? "0x7fffffffffffffffll" : "(-0x7fffffffffffffffll - 1)";
    const unsigned long long high = (1ull << (bits - 1)) - 1;
    return largest ? fmt::format("{}", high) : fmt::format("(-{} - 1)", high);
}

std::string scalar_body(const Family& family, ValueType type) {
    const std::string_view element = type.element;
    const unsigned bits = 8 * element_bytes(element);
    std::vector<Placeholder> values{{'t', cuda_name(type)}};
    if (is_float_element(element)) {
        values.push_back({'e', element == "double" ? "0x1p-53" : "0x1p-24f"});
    } else {
        const ValueType wide = type_meant('w', type);
        values.insert(values.end(),
                      {{'u', cuda_name(type_meant('u', type))},
                       {'b', std::to_string(bits)},
                       {'m', std::to_string(bits - 1) + "u"},
                       {'L', limit(element, false)},
                       {'H', limit(element, true)},
                       {'n', bits == 64 ? "__longlong_as_double(0x7ff8000000000000ull "
                                          "| (a & 0x7ffffffffffffull))"
                                        : "__uint_as_float(0x7fc00000u | (a & "
                                          "0x3fffffu))"}});
        if (bits < 64) {
            values.push_back({'w', cuda_name(wide)});
            values.push_back({'W', cuda_name(type_meant('u', wide))});
        }
    }
    return filled(family.body, values);
}

/// `return x;` or what is in braces.
std::string braced(std::string_view body) {
    if (body.starts_with('{')) return std::string(body);
    return fmt::format("{{ return {}; }}", body);
}

/// A half is computed as a float and rounded.
std::string by_float(std::string_view name, std::string_view codes) {
    std::string arguments, after;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const char parameter = parameter_names[i];
        arguments += i > 0 ? ", " : "";
        if (codes[i] == 'V') {
            arguments += "&other";
            after = fmt::format("    *{} = half(other);\n", parameter);
        } else {
            const bool half = codes[i] == 'v';
            arguments += half ? fmt::format("float({})", parameter) : std::string(1, parameter);
        }
    }
    if (after.empty()) return fmt::format("{}({})", name, arguments);
    return fmt::format(
        "{{\n    float other;\n    const float value = {}({});\n{}    return "
        "value;\n}}",
        name, arguments, after);
}

/// size_t is another type in CUDA than the prelude's 64 bits: one function for each way to mix the
/// two.
std::string mixed(std::string_view name, std::string_view codes, ValueType type, bool in_cuda) {
    if (type.element != "long" && type.element != "ulong") return {};
    if (codes.find_first_not_of("v") != codes.npos) return {};
    const std::string wide = cuda_name(type);
    const std::string_view plain = is_signed_element(type.element) ? "long" : "unsigned long";
    std::string text;
    const unsigned ways = 1u << codes.size();
    for (unsigned way = 1; way < ways; ++way) {
        if (in_cuda && way == ways - 1) continue;
        std::string list, arguments;
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const std::string_view comma = i > 0 ? ", " : "";
            list +=
                fmt::format("{}{} {}", comma, (way >> i & 1) ? plain : wide, parameter_names[i]);
            arguments += fmt::format("{}({}){}", comma, wide, parameter_names[i]);
        }
        text += fmt::format("__device__ inline {} {}({}) {{ return {}({}); }}\n", wide, name, list,
                            name, arguments);
    }
    return text;
}

std::optional<Definition> scalar_definition(const Family& family, std::string_view name,
                                            ValueType type) {
    const char letter = letter_of(type.element);
    const std::string_view form = words_in(family.forms).front();
    const std::string_view codes = form.substr(2);
    const bool in_cuda = family.cuda.find(letter) != family.cuda.npos;
    if (in_cuda) {
        std::string text = name == "min" || name == "max" ? mixed(name, codes, type, true) : "";
        if (text.empty()) return {};
        return Definition{std::move(text), {}};
    }
    const bool as_float = letter == 'h' && family.elements != "h";
    Definition made;
    if (as_float || letter == 'h') made.needs = {"half", fmt::format("float {}", name)};
    if (name == "mad_hi") made.needs = {key_of(type, "mul_hi")};
    const std::string body = as_float ? by_float(name, codes) : scalar_body(family, type);
    const std::string result = cuda_name(type_meant(form[0], type));
    made.text = fmt::format("__device__ inline {} {}({}) {}\n", result, name,
                            parameters(codes, type), braced(body));
    if (result == cuda_name(type)) made.text += mixed(name, codes, type, false);
    return made;
}

std::optional<Definition> componentwise(const Family& family, std::string_view name,
                                        ValueType type) {
    Definition made;
    const std::string_view scalar = family.scalar.empty() ? name : family.scalar;
    const auto need = [&](ValueType wanted) {
        if (!wanted.is_vector()) return;
        std::string maker = "make";
        for (unsigned i = 0; i < wanted.width; ++i) maker += " 1";
        for (std::string key : {name_of(wanted), key_of(wanted, maker)}) {
            if (std::ranges::find(made.needs, key) == made.needs.end()) {
                made.needs.push_back(std::move(key));
            }
        }
    };
    for (const std::string_view form : words_in(family.forms)) {
        const std::string_view codes = form.substr(2);
        const ValueType result = type_meant(form[0], type);
        need(result);
        std::string arguments;
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const ValueType parameter = type_meant(codes[i], type);
            need(parameter);
            arguments += i > 0 ? ", " : "";
            if (is_pointer(codes[i])) arguments += '&';
            arguments += parameter_names[i];
            if (parameter.is_vector()) arguments += is_pointer(codes[i]) ? "->{c}" : ".{c}";
        }
        made.text += fmt::format("__device__ inline {} {}({}) {{\n    return {};\n}}\n",
                                 cuda_name(result), name, parameters(codes, type),
                                 by_components(result, fmt::format("{}({})", scalar, arguments)));
    }
    made.needs.push_back(key_of({type.element, 1}, scalar));
    return made;
}

/// For a type that is not known: what can be meant with float, double, int and uint.
Definition for_all_types(std::string_view word) {
    Definition made;
    for (const std::string_view element : {"int", "uint", "float", "double"}) {
        for (const unsigned width : {1u, 2u, 3u, 4u}) {
            if (element == "double" && width > 1) continue;
            made.needs.push_back(key_of({element, width}, word));
        }
    }
    return made;
}

}  // namespace

ValueType type_meant(char code, ValueType type) {
    const unsigned bytes = element_bytes(type.element);
    switch (code) {
        case 's': return {type.element, 1};
        case 'i':
        case 'I': return {"int", type.width};
        case 'k': return {"int", 1};
        case 'u': return {unsigned_element(bytes), type.width};
        case 'f': return {bytes == 8 ? "double" : "float", type.width};
        case 'w':
            if (!is_signed_element(type.element)) return {unsigned_element(2 * bytes), type.width};
            return {bytes == 1 ? "short" : bytes == 2 ? "int" : "long", type.width};
        default: return type;
    }
}

std::vector<std::string_view> words_in(std::string_view list) {
    std::vector<std::string_view> found;
    while (!list.empty()) {
        const std::size_t blank = std::min(list.find(' '), list.size());
        found.push_back(list.substr(0, blank));
        list.remove_prefix(std::min(blank + 1, list.size()));
    }
    return found;
}

bool lists(std::string_view list, std::string_view word) {
    if (word.empty()) return false;
    for (std::size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' '))
            return true;
    }
    return false;
}

std::string filled(std::string_view text, std::span<const Placeholder> values) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto found = text[i] != '$' || i + 1 == text.size()
                               ? values.end()
                               : std::ranges::find(values, text[i + 1], &Placeholder::letter);
        if (found == values.end()) {
            result += text[i];
        } else {
            result += found->value;
            ++i;
        }
    }
    return result;
}

std::string key_of(ValueType type, std::string_view word) {
    return fmt::format("{} {}", name_of(type), word);
}

bool defines(std::span<const PlainFunction> list, std::string_view word) {
    return std::ranges::any_of(list,
                               [&](const PlainFunction& one) { return lists(one.names, word); });
}

std::optional<Definition> plain_definition(std::span<const PlainFunction> list,
                                           const PreludeKey& key) {
    for (const PlainFunction& one : list) {
        if (!lists(one.names, key.word)) continue;
        const std::string_view first = words_in(one.names).front();
        if (key.type.known() || key.word != first) return Definition{"", {std::string(first)}};
        Definition made{std::string(one.text), {}};
        for (const std::string_view need : words_in(one.needs)) made.needs.emplace_back(need);
        return made;
    }
    return {};
}

bool is_family_word(std::string_view word) {
    const auto has = [&](std::span<const Family> families) {
        return std::ranges::any_of(families,
                                   [&](const Family& family) { return lists(family.names, word); });
    };
    return has(math_families()) || has(integer_families());
}

std::optional<Definition> family_definition(const PreludeKey& key) {
    if (!is_family_word(key.word) || !key.rest.empty()) return {};
    if (!key.type.known()) return for_all_types(key.word);
    const char letter = letter_of(key.type.element);
    if (letter == '\0') return {};
    for (const auto families : {math_families(), integer_families()}) {
        for (const Family& family : families) {
            if (!lists(family.names, key.word) ||
                family.elements.find(letter) == family.elements.npos) {
                continue;
            }
            if (key.type.is_vector()) return componentwise(family, key.word, key.type);
            return scalar_definition(family, key.word, key.type);
        }
    }
    return {};
}

bool is_function_word(std::string_view word) {
    return word == "half" || is_family_word(word) || is_geometric_word(word) ||
           is_atomic_word(word) || defines(work_item_functions(), word) ||
           is_sub_group_word(word) || defines(memory_model_functions(), word) ||
           defines(image_functions(), word);
}

std::optional<Definition> function_definition(const PreludeKey& key) {
    if (const auto made = half_definition(key)) return made;
    if (const auto made = family_definition(key)) return made;
    if (const auto made = geometric_definition(key)) return made;
    if (const auto made = atomic_definition(key)) return made;
    if (const auto made = sub_group_definition(key)) return made;
    for (const auto list : {work_item_functions(), memory_model_functions(), image_functions()}) {
        if (const auto made = plain_definition(list, key)) return made;
    }
    return {};
}

}  // namespace parallax
