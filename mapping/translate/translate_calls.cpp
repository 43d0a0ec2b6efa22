// Goes through calls of built-in functions: what they ask of the prelude, what their arguments
// become.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/translate/builtins.hpp"
#include "mapping/translate/translator.hpp"
#include "mapping/translate/word_lists.hpp"

namespace parallax {

void Translator::visit_call(const Tree& tree, const Node& node) {
    const std::string_view name = at(node.first).text;
    if (name == "printf" && !node.parts.empty() && part(tree, node, 0).kind == Node::Kind::text) {
        for (std::size_t i = part(tree, node, 0).first; i <= part(tree, node, 0).last; ++i) {
            formats_.insert(i);
        }
        for (const Node& one : parts(tree, node)) {
            if (one.kind == Node::Kind::text) strings_.insert(one.first);
        }
    }
    if (starts_with_any(name, {"read_image", "write_image"}) && has_prelude(name)) {
        const std::string written = image_word(name);
        instead(node.first, written, function_rows(node.first, node.parts.size()));
        key(written);
        const bool writes = name.starts_with("write_") && !node.parts.empty();
        if (writes && part(tree, node, node.parts.size() - 1).type.is_scalar()) {
            const std::string_view element = name.ends_with("ui")  ? "uint"
                                             : name.ends_with('i') ? "int"
                                             : name.ends_with('h') ? "half"
                                                                   : "float";
            splat(part(tree, node, node.parts.size() - 1), {element, 4}, "(T4)x");
        }
    } else if (!helpers_.contains(name) && !kernels_.contains(name) && !macros_.contains(name)) {
        // The element pointed to decides, or the first vector, or the first argument.
        ValueType type;
        bool known = !node.parts.empty(), vector = false;
        const std::size_t pointer = name.starts_with("vload")    ? 1
                                    : name.starts_with("vstore") ? 2
                                                                 : node.parts.size();
        if (pointer < node.parts.size()) {
            type = part(tree, node, pointer).type.value;
            known = vector = type.known();
            if (!known) {
                leave_open(node.first,
                           "the type that its pointer leads to is not known here; run the "
                           "preprocessor first (--expand)");
            }
        } else {
            for (std::size_t p = 0; p < node.parts.size(); ++p) {
                const Type& one = part(tree, node, p).type;
                known = known && (one.known() || one.pointers > 0);
                if (p == 0 && one.pointers <= 1) type = one.value;
                if (!vector && one.is_vector()) {
                    vector = true;
                    type = one.value;
                }
            }
        }
        // These functions exist for float alone: a double becomes a float.
        const bool of_float = name.starts_with("native_") || name.starts_with("half_");
        if (of_float && type.element == "double" && !type.is_vector()) type.element = "float";
        const bool named_vector = pointer < 3 && node.parts.size() > pointer;
        const bool overloaded = has_prelude(name);
        cast_pointers(tree, node);
        if (vector && !named_vector) splat_arguments(tree, node, type);
        if (!vector && known) cast_arguments(tree, node);
        const bool is_open = !known && !vector && overloaded;
        if (is_open && (node.parts.empty() || takes_any_type(name))) {
            key(name);
        } else if (is_open) {
            for (const Node& one : parts(tree, node))
                need_type(tree, one, "which function is called");
        }
        if (known && !vector && !named_vector && overloaded && place_ != Place::statement &&
            !takes_any_type(name)) {
            for (const MappingRule* row : function_rows(node.first, node.parts.size())) {
                if (row->cuda != row->opencl) (*edited_)[node.first].row = row->cuda;
            }
        }
        if ((vector || named_vector || !known) && overloaded) {
            instead(node.first, name, function_rows(node.first, node.parts.size()));
            if (vector) key(type, name);
        } else if (place_ == Place::use && overloaded) {
            key(type, name);
        } else if (known && place_ != Place::use) {
            call_types_[node.first] = type;
        }
        if (node.type.pointers == 0) mention(node.type.value);
    }
    if (overloaded_.contains(name)) cast_sizes(tree, node);
    if (!macros_.contains(name)) cast_conditions(tree, node);
    // A macro may do anything with the places that it is given.
    const bool is_macro = macros_.contains(name);
    if (is_macro) check_volatile_arguments(tree, node);
    const std::size_t first = bare_first_, last = bare_last_;
    for (std::size_t p = 0; p < node.parts.size(); ++p) {
        const Node& one = part(tree, node, p);
        const bool is_bare = is_macro && is_bare_parameter(name, p);
        const Node* inside = &one;
        while (inside->kind == Node::Kind::group) inside = &part(tree, *inside, 0);
        if (is_macro && inside->kind == Node::Kind::member && inside->type.is_vector() &&
            is_changed_parameter(name, p)) {
            leave_open(one.first,
                       "components that a macro changes; run the preprocessor first (--expand)");
        }
        bare_first_ = is_bare ? one.first : 0;
        bare_last_ = is_bare ? one.last : 0;
        unread_ = is_macro ? &one : nullptr;
        visit_node(tree, one);
    }
    bare_first_ = first;
    bare_last_ = last;
}

void Translator::cast_conditions(const Tree& tree, const Node& call) {
    const std::string_view name = at(call.first).text;
    if (name == "printf" || !(is_builtin_function(name) || overloaded_.contains(name))) return;
    for (const Node& one : parts(tree, call)) {
        if (!one.type.is_condition || !one.type.is_scalar()) continue;
        before(one.first, "(int)(", by("sizeof(T < T)"));
        after(one.last, ")", by("sizeof(T < T)"));
    }
}

void Translator::cast_sizes(const Tree& tree, const Node& call) {
    for (const Node& one : parts(tree, call)) {
        const bool is_plain =
            one.kind == Node::Kind::number || (one.kind == Node::Kind::name && !one.type.is_size);
        if (is_plain || !one.type.is_scalar() || element_bytes(one.type.value.element) != 8 ||
            is_float_element(one.type.value.element)) {
            continue;
        }
        before(one.first, fmt::format("({})(", cuda_name(one.type.value)), by("size_t"));
        after(one.last, ")", by("size_t"));
    }
}

void Translator::cast_pointers(const Tree& tree, const Node& call) {
    const bool keeps_volatile = starts_with_any(at(call.first).text, {"atom"});
    for (const Node& one : parts(tree, call)) {
        const Type& type = one.type;
        const bool drops = type.is_volatile && !keeps_volatile;
        if (type.pointers != 1 || !type.value.known() || !(type.is_size || drops)) continue;
        before(one.first,
               fmt::format("({}{}{}*)(", type.is_const ? "const " : "",
                           type.is_volatile && !drops ? "volatile " : "", cuda_name(type.value)),
               by("T* p = q"));
        after(one.last, ")", by("T* p = q"));
    }
}

void Translator::splat_arguments(const Tree& tree, const Node& call, ValueType type) {
    const std::string_view name = at(call.first).text;
    // The second argument of these functions is one scalar, or one for each component.
    if (is_one_of(name, {"ldexp", "pown", "rootn", "step", "smoothstep", "printf", "nan"}) ||
        starts_with_any(name, {"async_", "atom", "sub_group_", "work_group_", "prefetch", "intel_",
                               "shuffle", "get_", "to_"})) {
        return;
    }
    const bool may_be_scalar = is_one_of(name, {"min", "max", "fmin", "fmax", "clamp", "mix"}) &&
                               part(tree, call, 0).type.is_vector();
    if (may_be_scalar) return;
    for (const Node& one : parts(tree, call)) {
        if (one.type.is_scalar()) splat(one, type, "(T4)x");
    }
}

bool Translator::takes_any_type(std::string_view name) {
    return starts_with_any(name, {"async_", "atom", "sub_group_", "work_group_", "intel_", "get_",
                                  "prefetch", "wait_"});
}

void Translator::cast_arguments(const Tree& tree, const Node& call) {
    // With a whole number beside a float, C++ may choose a function of double.
    if (!is_one_of(at(call.first).text,
                   {"pow", "fmod", "atan2", "fmax", "fmin", "copysign", "hypot", "fdim", "powr",
                    "maxmag", "minmag", "remainder", "nextafter"})) {
        return;
    }
    const Node* floating = nullptr;
    for (const Node& one : parts(tree, call)) {
        if (one.type.is_scalar() && is_float_element(one.type.value.element)) floating = &one;
    }
    if (!floating) return;
    for (const Node& one : parts(tree, call)) {
        if (!one.type.is_scalar() || is_float_element(one.type.value.element)) continue;
        before(one.first, fmt::format("({})(", floating->type.value.element),
               by("T = pow(T, int)"));
        after(one.last, ")", by("T = pow(T, int)"));
    }
}

RowList Translator::function_rows(std::size_t i, std::size_t arguments) const {
    RowList rows;
    for (const Pattern& pattern : Patterns::of_table().beginning_with(at(i).text)) {
        const auto count = std::ranges::count(pattern.words, "$");
        if (pattern.call && static_cast<std::size_t>(count) == arguments) rows = {pattern.row};
    }
    return rows;
}

}  // namespace parallax
