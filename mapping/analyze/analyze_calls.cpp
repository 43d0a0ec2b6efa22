// Analyses calls of built-in functions: prelude functions that they need, and their arguments.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/analyze/analyzer.hpp"
#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {

void Analyzer::visit_call(const Tree& tree, const Node& node) {
    const std::string_view name = at(node.first).text;
    if (name == "printf" && !node.parts.empty()) note_printf(tree, node);
    if (starts_with_any(name, {"read_image", "write_image"}) && prelude_.has(name)) {
        visit_image_call(tree, node);
    } else if (!declared_.helpers.contains(name) && !declared_.kernels.contains(name) &&
               !is_macro(name)) {
        visit_builtin_call(tree, node);
    }
    if (declared_.overloaded.contains(name)) cast_sizes(tree, node);
    if (is_macro(name)) {
        check_volatile_arguments(tree, node);
    } else {
        cast_conditions(tree, node);
    }
    visit_arguments(tree, node);
}

void Analyzer::note_printf(const Tree& tree, const Node& call) {
    const Node& format = part(tree, call, 0);
    if (format.kind != Node::Kind::text) return;
    for (std::size_t i = format.first; i <= format.last; ++i) made_.formats.insert(i);
    for (const Node& one : parts(tree, call)) {
        if (one.kind == Node::Kind::text) made_.strings.insert(one.first);
    }
}

void Analyzer::visit_image_call(const Tree& tree, const Node& call) {
    const std::string_view name = at(call.first).text;
    const std::string written = made_.image_word(name);
    instead(call.first, written, function_rows(call.first, call.parts.size()));
    key(written);
    const bool writes = name.starts_with("write_") && !call.parts.empty();
    if (!writes || !part(tree, call, call.parts.size() - 1).type.is_scalar()) return;
    const std::string_view element = name.ends_with("ui")  ? "uint"
                                     : name.ends_with('i') ? "int"
                                     : name.ends_with('h') ? "half"
                                                           : "float";
    splat(part(tree, call, call.parts.size() - 1), {element, 4}, "(T4)x");
}

Analyzer::CallType Analyzer::call_type(const Tree& tree, const Node& call) {
    const std::string_view name = at(call.first).text;
    CallType found{.is_known = !call.parts.empty()};
    const std::size_t pointer = name.starts_with("vload")    ? 1
                                : name.starts_with("vstore") ? 2
                                                             : call.parts.size();
    found.is_named = pointer < 3 && call.parts.size() > pointer;
    if (pointer < call.parts.size()) {
        found.type = part(tree, call, pointer).type.value;
        found.is_known = found.is_vector = found.type.known();
        if (!found.is_known) {
            leave_open(call.first,
                       "the type that its pointer leads to is not known here; run the "
                       "preprocessor first (--expand)");
        }
    } else {
        for (std::size_t p = 0; p < call.parts.size(); ++p) {
            const Type& one = part(tree, call, p).type;
            found.is_known = found.is_known && (one.known() || one.pointers > 0);
            const bool is_first_vector = !found.is_vector && one.is_vector();
            if ((p == 0 && one.pointers <= 1) || is_first_vector) found.type = one.value;
            found.is_vector = found.is_vector || is_first_vector;
        }
    }
    // These functions exist for float alone: a double becomes a float.
    const bool of_float = name.starts_with("native_") || name.starts_with("half_");
    if (of_float && found.type.element == "double" && !found.type.is_vector()) {
        found.type.element = "float";
    }
    return found;
}

void Analyzer::visit_builtin_call(const Tree& tree, const Node& call) {
    const std::string_view name = at(call.first).text;
    const auto [type, is_known, is_vector, is_named] = call_type(tree, call);
    const bool is_overloaded = prelude_.has(name);
    cast_pointers(tree, call);
    if (is_vector && !is_named) splat_arguments(tree, call, type);
    if (!is_vector && is_known) cast_arguments(tree, call);
    const bool is_open = !is_known && !is_vector && is_overloaded;
    if (is_open && (call.parts.empty() || takes_any_type(name))) {
        key(name);
    } else if (is_open) {
        for (const Node& one : parts(tree, call)) need_type(tree, one, "which function is called");
    }
    const bool is_of_scalars = is_known && !is_vector && !is_named;
    if (is_of_scalars && is_overloaded && place_ != Place::statement && !takes_any_type(name)) {
        for (const MappingRule* row : function_rows(call.first, call.parts.size())) {
            if (row->cuda != row->opencl) (*edits_)[call.first].row = row->cuda;
        }
    }
    if (is_overloaded && !is_of_scalars) {
        instead(call.first, name, function_rows(call.first, call.parts.size()));
        if (is_vector) key(type, name);
    } else if (place_ == Place::use && is_overloaded) {
        key(type, name);
    } else if (is_known && place_ != Place::use) {
        made_.call_types[call.first] = type;
    }
    if (call.type.pointers == 0) prelude_.mention(call.type.value);
}

void Analyzer::visit_arguments(const Tree& tree, const Node& call) {
    const std::string_view name = at(call.first).text;
    const std::size_t first = bare_first_, last = bare_last_;
    for (std::size_t p = 0; p < call.parts.size(); ++p) {
        const Node& one = part(tree, call, p);
        const Node& within = inside(tree, one);
        if (is_macro(name) && within.kind == Node::Kind::member && within.type.is_vector() &&
            is_changed_parameter(name, p)) {
            leave_open(one.first,
                       "components that a macro changes; run the preprocessor first (--expand)");
        }
        const bool is_bare = is_macro(name) && is_bare_parameter(name, p);
        bare_first_ = is_bare ? one.first : 0;
        bare_last_ = is_bare ? one.last : 0;
        // A macro may do anything with the places that it is given.
        unread_ = is_macro(name) ? &one : nullptr;
        visit_node(tree, one);
    }
    bare_first_ = first;
    bare_last_ = last;
}

void Analyzer::cast_conditions(const Tree& tree, const Node& call) {
    const std::string_view name = at(call.first).text;
    if (name == "printf" || !(is_builtin_function(name) || declared_.overloaded.contains(name)))
        return;
    for (const Node& one : parts(tree, call)) {
        if (!one.type.is_condition || !one.type.is_scalar()) continue;
        enclose(one, "(int)(", ")", "sizeof(T < T)");
    }
}

void Analyzer::cast_sizes(const Tree& tree, const Node& call) {
    for (const Node& one : parts(tree, call)) {
        const bool is_plain =
            one.kind == Node::Kind::number || (one.kind == Node::Kind::name && !one.type.is_size);
        if (is_plain || !one.type.is_scalar() || element_bytes(one.type.value.element) != 8 ||
            is_float_element(one.type.value.element)) {
            continue;
        }
        enclose(one, fmt::format("({})(", cuda_name(one.type.value)), ")", "size_t");
    }
}

void Analyzer::cast_pointers(const Tree& tree, const Node& call) {
    const bool keeps_volatile = starts_with_any(at(call.first).text, {"atom"});
    for (const Node& one : parts(tree, call)) {
        const Type& type = one.type;
        const bool drops = type.is_volatile && !keeps_volatile;
        if (type.pointers != 1 || !type.value.known() || !(type.is_size || drops)) continue;
        enclose(one,
                fmt::format("({}{}{}*)(", type.is_const ? "const " : "",
                            type.is_volatile && !drops ? "volatile " : "", cuda_name(type.value)),
                ")", "T* p = q");
    }
}

void Analyzer::splat_arguments(const Tree& tree, const Node& call, ValueType type) {
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

bool Analyzer::takes_any_type(std::string_view name) {
    return starts_with_any(name, {"async_", "atom", "sub_group_", "work_group_", "intel_", "get_",
                                  "prefetch", "wait_"});
}

void Analyzer::cast_arguments(const Tree& tree, const Node& call) {
    // With an integer next to a float, C++ may choose the overload for double.
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
        enclose(one, fmt::format("({})(", floating->type.value.element), ")", "T = pow(T, int)");
    }
}

RowList Analyzer::function_rows(std::size_t i, std::size_t arguments) const {
    RowList rows;
    for (const Pattern& pattern : Patterns::of_table().beginning_with(at(i).text)) {
        const auto count = std::ranges::count(pattern.words, "$");
        if (pattern.call && static_cast<std::size_t>(count) == arguments) rows = {pattern.row};
    }
    return rows;
}

}  // namespace parallax
