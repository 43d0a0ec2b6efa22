// Makes definitions of sections: puts types in, adds vectors, halfs and size_t.
#include "mapping/prelude/prelude_functions.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

constexpr std::string_view letters = "abcd";

bool has(const std::vector<std::string_view>& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

bool makes_vectors(const Section& section) {
    return !section.widths.empty();
}

/// `T* b` or `one int`, with a name behind it or without.
WrittenType written_type(std::string_view text, bool named) {
    WrittenType made;
    if (named) text = text.substr(0, text.rfind(' '));
    made.one = text.starts_with("one ");
    if (made.one) text.remove_prefix(4);
    made.pointer = text.ends_with('*');
    if (made.pointer) text.remove_suffix(1);
    made.type = text;
    return made;
}

std::vector<WrittenType> written_types(std::string_view list, bool named) {
    std::vector<WrittenType> types;
    for (const std::string_view one : split(list, ",")) types.push_back(written_type(one, named));
    return types;
}

bool is_all_of_type(const Prototype& prototype) {
    return std::ranges::all_of(prototype.parameters, [](const WrittenType& one) {
        return one.type == "T" && !one.pointer && !one.one;
    });
}

/// The results of `each` for the parameters and their letters, separated by commas.
template <class Each>
std::string for_parameters(const Prototype& prototype, Each each) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < prototype.parameters.size(); ++i) {
        parts.push_back(each(prototype.parameters[i], letters[i]));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string parameter_list(const Prototype& prototype, ValueType type) {
    return for_parameters(prototype, [&](const WrittenType& one, char letter) {
        return fmt::format("{}{} {}", cuda_name(type_meant(one, type)), one.pointer ? "*" : "",
                           letter);
    });
}

/// A half is computed as a float and rounded.
std::string by_float(std::string_view name, const Prototype& prototype) {
    std::string after;
    const auto arguments = for_parameters(prototype, [&](const WrittenType& one, char letter) {
        if (one.type != "T" || (one.one && !one.pointer)) return std::string(1, letter);
        if (!one.pointer) return fmt::format("float({})", letter);
        after = fmt::format("    *{} = half(other);\n", letter);
        return std::string("&other");
    });
    if (after.empty()) return fmt::format("{{ return {}({}); }}", name, arguments);
    return fmt::format(
        "{{\n    float other;\n    const float value = {}({});\n{}    return value;\n}}", name,
        arguments, after);
}

/// size_t is not the type that the prelude has for 64 bits. So that calls with both are not
/// ambiguous, there is one function for each way to mix them.
std::string mixed_with_size_t(std::string_view name, const Prototype& prototype, ValueType type,
                              bool in_cuda) {
    if (element_bytes(type.element) != 8 || is_float_element(type.element)) return {};
    if (!is_all_of_type(prototype)) return {};
    const std::string wide = cuda_name(type);
    const std::string result = cuda_name(type_meant(prototype.result, type));
    const std::string_view plain = is_signed_element(type.element) ? "long" : "unsigned long";
    std::string text;
    const unsigned ways = 1u << prototype.parameters.size();
    for (unsigned way = 1; way < ways; ++way) {
        if (in_cuda && way == ways - 1) continue;
        unsigned left = way;
        const auto list = for_parameters(prototype, [&](const WrittenType&, char letter) {
            const std::string_view one = (left & 1) != 0 ? plain : std::string_view(wide);
            left >>= 1;
            return fmt::format("{} {}", one, letter);
        });
        const auto arguments = for_parameters(prototype, [&](const WrittenType&, char letter) {
            return fmt::format("({}){}", wide, letter);
        });
        text += fmt::format("__device__ inline {} {}({}) {{ return {}({}); }}\n", result, name,
                            list, name, arguments);
    }
    return text;
}

std::optional<Definition> scalar_definition(const Section& section, const Section::Name& name,
                                            ValueType type) {
    if (section.scalars_only) return Definition{filled(section.text, name, type)};
    const Prototype prototype = prototypes_of(section).front();
    if (has(section.in_cuda, type.element)) {
        if (name.name != "min" && name.name != "max") return {};
        std::string text = mixed_with_size_t(name.name, prototype, type, true);
        if (text.empty()) return {};
        return Definition{std::move(text)};
    }
    Definition made;
    const std::string result = cuda_name(type_meant(prototype.result, type));
    const bool is_half = type.element == "half";
    if (is_half) made.needs = {"half", fmt::format("float {}", name.name)};
    for (const std::string_view need : section.needs) made.needs.push_back(key_of(type, need));
    if (is_half && section.elements.size() > 1) {
        made.text = fmt::format("__device__ inline {} {}({}) {}\n", result, name.name,
                                parameter_list(prototype, type), by_float(name.name, prototype));
    } else {
        made.text = filled(section.text, name, type);
    }
    made.text += mixed_with_size_t(name.name, prototype, type, false);
    return made;
}

/// A function of vectors that calls the one of scalars for each component.
Definition componentwise(const Section& section, std::string_view name, ValueType type) {
    Definition made;
    const std::string_view scalar = section.vectors_by.empty() ? name : section.vectors_by;
    const auto need = [&](ValueType wanted) {
        if (!wanted.is_vector()) return;
        for (std::string key : {name_of(wanted), maker_key(wanted)}) {
            if (std::ranges::find(made.needs, key) == made.needs.end()) {
                made.needs.push_back(std::move(key));
            }
        }
    };
    for (const Prototype& prototype : prototypes_of(section)) {
        const ValueType result = type_meant(prototype.result, type);
        need(result);
        const auto arguments = for_parameters(prototype, [&](const WrittenType& one, char letter) {
            const ValueType parameter = type_meant(one, type);
            need(parameter);
            return fmt::format("{}{}{}", one.pointer ? "&" : "", letter,
                               !parameter.is_vector() ? ""
                               : one.pointer          ? "->{c}"
                                                      : ".{c}");
        });
        made.text += fmt::format("__device__ inline {} {}({}) {{\n    return {};\n}}\n",
                                 cuda_name(result), name, parameter_list(prototype, type),
                                 by_components(result, fmt::format("{}({})", scalar, arguments)));
    }
    made.needs.push_back(key_of({type.element, 1}, scalar));
    return made;
}

/// A function of vectors of halfs that calls the one of floats.
Definition vectors_by_float(const Section& section, std::string_view name, ValueType type) {
    const ValueType wide{"float", type.width};
    const Prototype prototype = prototypes_of(section).front();
    const bool gives_vector = prototype.result.type == "V" && wide.is_vector();
    const auto parameters = for_parameters(prototype, [&](const WrittenType&, char letter) {
        return fmt::format("{} {}", cuda_name(type), letter);
    });
    const auto arguments = for_parameters(prototype, [&](const WrittenType&, char letter) {
        return by_components(wide, fmt::format("float({}.{{c}})", letter));
    });
    const std::string call = fmt::format("{}({})", name, arguments);
    const std::string body =
        gives_vector ? fmt::format("    const {} r = {};\n    return {};\n", cuda_name(wide), call,
                                   by_components(type, "half(r.{c})"))
                     : fmt::format("    return half({});\n", call);
    return {fmt::format("__device__ inline {} {}({}) {{\n{}}}\n",
                        gives_vector ? cuda_name(type) : "half", name, parameters, body),
            {"half", name_of(wide), name_of(type), maker_key(wide), maker_key(type),
             key_of(wide, name)}};
}

Definition vector_function(const Section& section, const Section::Name& name, ValueType type) {
    if (type.element == "half") return vectors_by_float(section, name.name, type);
    Definition made{filled(section.text, name, type)};
    if (type.is_vector()) made.needs = {name_of(type), maker_key(type)};
    for (const std::string_view need : section.needs) made.needs.push_back(key_of(type, need));
    return made;
}

/// The definition of a section without types.
Definition untyped_definition(const Section& section, const Section::Name& name,
                              const PreludeKey& key) {
    const std::string_view main = section.each ? name.name : section.names.front().name;
    if (key.type.known() || key.word != main) return {"", {std::string(main)}};
    Definition made{filled(section.text, name, {})};
    for (const std::string_view need : section.needs) made.needs.emplace_back(need);
    if (!name.base.empty()) made.needs.emplace_back(name.base);
    return made;
}

std::optional<Definition> typed_definition(const Section& section, const Section::Name& name,
                                           ValueType type) {
    if (!has(section.elements, type.element)) return {};
    if (makes_vectors(section)) {
        if (std::ranges::count(section.widths, type.width) == 0) return {};
        return vector_function(section, name, type);
    }
    if (!type.is_vector()) return scalar_definition(section, name, type);
    if (section.scalars_only) return {};
    return componentwise(section, name.name, type);
}

/// When the type is not known, the common types get a definition each.
Definition for_common_types(std::string_view word, const Section& section) {
    Definition made;
    const bool scalars = section.scalars_only, floats = makes_vectors(section);
    for (const std::string_view element : {"int", "uint", "long", "ulong", "float", "double"}) {
        if (floats && element != "float") continue;
        if (!scalars && (element == "long" || element == "ulong")) continue;
        for (const unsigned width : {1u, 2u, 3u, 4u}) {
            if (width > 1 && (scalars || element == "double")) continue;
            made.needs.push_back(key_of({element, width}, word));
        }
    }
    return made;
}

}  // namespace

std::vector<Prototype> prototypes_of(const Section& section) {
    // `__device__ inline T name(T a, int* b) {`
    std::string_view head = section.text.substr(0, section.text.find('('));
    for (const std::string_view word : {"__device__ ", "inline "}) {
        if (head.starts_with(word)) head.remove_prefix(word.size());
    }
    const std::size_t open = section.text.find('('), close = section.text.find(')');
    std::vector<Prototype> all{
        {written_type(head, true),
         written_types(section.text.substr(open + 1, close - open - 1), true)}};
    for (const std::string_view list : section.also) {
        all.push_back({all.front().result, written_types(list, false)});
    }
    return all;
}

ValueType type_meant(const WrittenType& written, ValueType type) {
    const ValueType of{type.element, written.one ? 1 : type.width};
    const unsigned bytes = element_bytes(type.element);
    if (written.type == "int") return {"int", of.width};
    if (written.type == "unsigned_T") return unsigned_like(of);
    if (written.type == "wide_T") return wide_like(of);
    if (written.type == "float_T") return {bytes == 8 ? "double" : "float", of.width};
    return of;
}

bool is_function_word(std::string_view word) {
    return !sections_of(word).empty();
}

std::optional<Definition> function_definition(const PreludeKey& key) {
    // The key `half` is the type, which sections of that name define.
    if (key.word.empty() && key.type == ValueType{"half", 1}) {
        Definition made;
        for (const Section* one : sections_of("half")) {
            if (one->operators.empty()) made.text += one->text;
            for (const auto operation : one->operators)
                made.text += replaced(one->text, "OPERATOR", operation);
        }
        return made;
    }
    if (!key.rest.empty()) return {};
    for (const Section* section : sections_of(key.word)) {
        const Section::Name& name = *section->named(key.word);
        if (section->elements.empty()) return untyped_definition(*section, name, key);
        if (!key.type.known()) return for_common_types(key.word, *section);
        if (auto made = typed_definition(*section, name, key.type)) return made;
    }
    return {};
}

}  // namespace parallax
