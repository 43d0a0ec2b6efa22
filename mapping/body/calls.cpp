// The calls in a body: work-item functions, memory functions, and the source's own functions.
#include <algorithm>

#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/body/symbolic_executor.hpp"

namespace parallax::body {

Value SymbolicExecutor::work_item(std::string_view name, int d) {
    const auto of = [&](Kind kind) { return Poly::of(known(kind, d)); };
    const unsigned required = read_.required.at(static_cast<std::size_t>(d));
    const Poly size = required != 0 ? Poly(required) : of(Kind::local_size);
    read_.dimensions = std::max(read_.dimensions, d + 1);
    const bool of_group = name == "get_group_id" || name == "get_num_groups";
    if (!of_group && name != "get_local_size") read_.asked.insert(d);
    if (name == "get_group_id") read_.asked_groups.insert(d);
    if (name != "get_local_id" && name != "get_local_size") read_.asked_grid.insert(d);
    asks_ids_ = asks_ids_ || name == "get_global_id" || name == "get_group_id";
    if (name == "get_global_id") return {of(Kind::global_id)};
    if (name == "get_local_id") return {of(Kind::local_id)};
    if (name == "get_group_id") return {of(Kind::group_id)};
    if (name == "get_num_groups") return {of(Kind::groups)};
    if (name == "get_global_size") return {of(Kind::global_size)};
    if (name == "get_global_offset") return {Poly(0)};
    return {size};
}

std::vector<Value> SymbolicExecutor::arguments_of(const Tree& tree, const Node& call) {
    std::vector<Value> arguments;
    for (const int one : call.parts) {
        const Node& part = at(tree, one);
        arguments.push_back(evaluate(tree, one));
        // Through the address of a variable anything may be written.
        if (part.kind == Node::Kind::prefix && text_at(part.operator_token) == "&") {
            const Node& what = at(tree, part.parts[0]);
            if (what.kind == Node::Kind::name)
                store({text_at(what.first), {}}, {unknown({.ids = anybody})});
        }
    }
    return arguments;
}

Value SymbolicExecutor::call(const Tree& tree, const Node& node) {
    const std::string_view name = text_at(node.first);
    const std::vector<Value> arguments = arguments_of(tree, node);
    // First, since their names may begin as those of OpenCL do: `get_pixel`.
    for (const Item& item : outline_.items) {
        if (item.kind == Item::Kind::helper && item.body != 0 && text_at(item.name) == name) {
            return inlined(item, arguments);
        }
    }
    if (is_one_of(name, {"get_global_id", "get_local_id", "get_group_id", "get_num_groups",
                         "get_global_size", "get_local_size", "get_enqueued_local_size",
                         "get_global_offset"})) {
        const auto d = arguments.empty() ? unknown().number() : arguments[0].number.number();
        if (d && *d >= 0 && *d < 3) return work_item(name, static_cast<int>(*d));
    }
    if (name == "barrier" || name == "work_group_barrier") note_barrier();
    if (auto made = image_call(name, arguments)) return *made;
    if (name.starts_with("get_") && name != "get_work_dim") {
        read_.asked.insert(0);
        read_.asked_grid.insert(0);
        return {unknown({.ids = anybody})};
    }
    if (name.ends_with("cmpxchg")) note_exchange(tree, node, arguments);
    if (name.starts_with("atom")) return atomic_call(name, arguments, &node != statement_);
    if (auto made = memory_call(name, arguments)) return *made;
    note_roots(name);
    if (is_float_element(node.type.value.element)) {
        note_finite(name);
        if (is_one_of(name, {"fmin", "fmax", "min", "max", "clamp"}))
            for (const int one : node.parts) note_edge(tree, one);
    }
    if (name.starts_with("convert_") && node.parts.size() == 1) {
        note_rounded(at(tree, node.parts[0]).type, node.type);
    }
    if ((name.starts_with("convert_") || name.starts_with("as_") || name == "abs") &&
        arguments.size() == 1 && !is_float_element(node.type.value.element)) {
        return arguments[0];
    }
    return arithmetic_call(name, arguments);
}

/// Notes a barrier that some work-items of a work-group may not reach.
void SymbolicExecutor::note_barrier() {
    const auto is_place = [&](int one) {
        return is_kind(one, Kind::local_id) || is_kind(one, Kind::global_id);
    };
    const auto by_item = [&](const Guard& guard) {
        const int one = guard.symbol;
        const bool is_part = is_kind(one, Kind::quotient) || is_kind(one, Kind::remainder);
        return guard.upper &&
               (is_place(one) ||
                (is_part && std::ranges::any_of(symbol(one).whole.symbols(), is_place)));
    };
    read_.splits_barrier = read_.splits_barrier || std::ranges::any_of(guards_, by_item);
}

/// Notes the type whose bits are compared and exchanged.
void SymbolicExecutor::note_exchange(const Tree& tree, const Node& call,
                                     const std::vector<Value>& arguments) {
    if (arguments.size() != 3 || arguments[0].memory < 0) return;
    const Node& made = at(tree, call.parts[2]);
    const bool is_cast = made.kind == Node::Kind::call && made.parts.size() == 1 &&
                         text_at(made.first).starts_with("as_");
    if (!is_cast) return;
    const std::string_view element = at(tree, made.parts[0]).type.value.element;
    if (is_float_element(element)) {
        read_.float_bits[static_cast<std::size_t>(arguments[0].memory)] = element;
    }
}

/// Notes functions that give no number for what is below 0.
void SymbolicExecutor::note_roots(std::string_view name) {
    for (const std::string_view prefix : {"native_", "half_"}) {
        if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    }
    read_.takes_roots = read_.takes_roots ||
                        is_one_of(name, {"sqrt", "rsqrt", "log", "log2", "log10", "log1p", "logb",
                                         "pow", "powr", "rootn", "acos", "asin", "acosh", "atanh",
                                         "acospi", "asinpi", "lgamma", "tgamma"});
}

/// Notes functions that give any number for NaN or an infinity.
void SymbolicExecutor::note_finite(std::string_view name) {
    read_.needs_finite =
        read_.needs_finite || name.starts_with("native_") || name.starts_with("half_") ||
        name.starts_with("fast_") ||
        is_one_of(name, {"min", "max", "clamp", "mix", "step", "smoothstep", "sign", "degrees",
                         "radians", "normalize", "length", "distance", "dot", "cross"});
}

Value SymbolicExecutor::arithmetic_call(std::string_view name,
                                        const std::vector<Value>& arguments) {
    const auto number = [&](std::size_t i) { return arguments[i].number; };
    if (name == "mul24" || name == "mad24") {  // of numbers that 24 bits hold
        for (const Value& one : arguments) note_leads(one.number);
    }
    if (name == "mul24" && arguments.size() == 2) return {number(0) * number(1)};
    if ((name == "mad24" || name == "mad") && arguments.size() == 3) {
        return {number(0) * number(1) + number(2)};
    }
    if ((name == "clamp" || name == "smoothstep") && arguments.size() == 3) {
        const std::size_t end = name == "clamp" ? 1 : 0;
        for (const int low : number(end).symbols())
            for (const int high : number(end + 1).symbols()) read_.ascending.emplace(low, high);
    }
    if (name == "clamp" && arguments.size() == 3) return clamped(arguments[0], arguments[2]);
    if ((name == "min" || name == "max") && arguments.size() == 2) {
        auto a = most(number(0)), b = most(number(1));
        if (name == "max") return either(arguments[0], a, arguments[1], b);
        // The bound is the argument that is the same for all work-items.
        const bool second = !a || (b && !varies(number(1)));
        if (second ? b : a) note_bound(second ? *b : *a);
        std::set<std::size_t> from = sources(number(0));
        from.merge(sources(number(1)));
        const int least = make({.upper = second ? b : a, .from = std::move(from)});
        folded_.insert(least);
        return {Poly::of(least)};
    }
    return {unknown()};
}

Value SymbolicExecutor::clamped(const Value& what, const Value& top) {
    const auto below = [&](const Poly& number, const Poly& bound) {
        return Value{Poly::of(make({.upper = bound, .from = sources(number)}))};
    };
    note_bound(top.number);
    Value made = below(what.number, top.number);
    for (std::size_t p = 0; p < what.parts.size(); ++p) {
        const bool has_own = p < top.parts.size();
        if (has_own) note_bound(top.parts[p].number);
        made.parts.push_back(
            below(what.parts[p].number, has_own ? top.parts[p].number : top.number));
    }
    return made;
}

std::optional<Value> SymbolicExecutor::image_call(std::string_view name,
                                                  const std::vector<Value>& arguments) {
    if (arguments.empty() || arguments[0].memory < 0) return {};
    const int image = arguments[0].memory;
    const auto extent = [&](const char* what) {
        const auto& of = parameters_.at(static_cast<std::size_t>(image));
        return Poly::of(known_member(image, of + "_" + what));
    };
    if (name == "get_image_width") return Value{extent("width")};
    if (name == "get_image_height") return Value{extent("height")};
    if (name == "get_image_depth" || name == "get_image_array_size") return Value{extent("depth")};
    if (name == "get_image_dim") {
        return Value{unknown(),
                     -1,
                     1,
                     0,
                     {{extent("width")}, {extent("height")}, {extent("depth")}, {Poly(0)}}};
    }
    const bool stores = name.starts_with("write_image");
    if (!stores && !name.starts_with("read_image")) return {};
    const std::string_view kind = name.substr(stores ? 11 : 10);
    BodyImage made{.parameter = static_cast<std::size_t>(image),
                   .most = {},
                   .stores = stores,
                   .element = kind == "i"    ? "int"
                              : kind == "ui" ? "uint"
                              : kind == "h"  ? "half"
                                             : "float"};
    const Value& at = stores ? arguments[1] : arguments.back();
    if (at.parts.empty()) {
        made.most.push_back(most(at.number));
    } else {
        for (const Value& one : at.parts) made.most.push_back(most(one.number));
    }
    read_.images.push_back(std::move(made));
    return Value{unknown()};
}

std::optional<Value> SymbolicExecutor::memory_call(std::string_view name,
                                                   const std::vector<Value>& arguments) {
    const auto pointer = [&](std::size_t i) -> const Value* {
        return i < arguments.size() && arguments[i].memory >= 0 ? &arguments[i] : nullptr;
    };
    const auto wide = [&](std::string_view prefix) {
        const std::string_view digits = name.substr(prefix.size());
        double width = 0;
        for (const char c : digits) {
            if (c < '0' || c > '9') break;
            width = width * 10 + (c - '0');
        }
        return width == 0 ? 1 : width;
    };
    if (name.starts_with("vload") || name.starts_with("vstore")) {
        const bool loads = name.starts_with("vload");
        const Value* to = pointer(loads ? 1 : 2);
        const std::string_view prefix = name.starts_with("vload_half")    ? "vload_half"
                                        : name.starts_with("vstore_half") ? "vstore_half"
                                        : loads                           ? "vload"
                                                                          : "vstore";
        const double width = wide(prefix);
        if (to) {
            const Value place = indexed(*to, arguments[loads ? 0 : 1].number * Poly(width));
            if (!loads) note_order(place, arguments[0], width);
            access(place, width, loads, !loads);
        }
        return Value{unknown()};
    }
    if (name.starts_with("async_work_group")) {
        for (const std::size_t i : {0u, 1u}) {
            const Value* to = pointer(i);
            if (!to || arguments.size() < 3) continue;
            const Value last = indexed(*to, arguments[2].number - Poly(1));
            if (i == 0) note_order(last, {unknown({.ids = anybody})}, 1);
            access(last, 1, i == 1, i == 0);
        }
        return Value{unknown()};
    }
    bool any = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Value* to = pointer(i);
        if (!to || name == "prefetch") continue;
        any = true;
        note_order(*to, {unknown({.ids = anybody})}, to->unit);
        access(*to, to->unit, false, true);
    }
    return any ? std::optional(Value{unknown()}) : std::nullopt;
}

Value SymbolicExecutor::inlined(const Item& function, const std::vector<Value>& arguments) {
    if (depth_ > 300 || returned_depth_ >= 8) return {unknown()};
    ++returned_depth_;
    Names names;
    const auto ranges = outline_.parameters(function);
    for (std::size_t p = 0; p < ranges.size() && p < arguments.size(); ++p) {
        std::size_t last = ranges[p].last;
        while (last > ranges[p].first) {
            --last;
            if (outline_[last].is("]")) {
                last = outline_.match[last];
            } else if (outline_[last].kind == TokenKind::identifier) {
                break;
            }
        }
        names[text_at(last)] = arguments[p];
    }
    // Its names are its own, and its conditions end with it.
    std::vector<Names> outer{std::move(names)};
    std::swap(scopes_, outer);
    const Checkpoint before = checkpoint();
    std::vector<Value> values;
    std::vector<Value>* const caller = std::exchange(returned_, &values);
    block(function.body);
    returned_ = caller;
    operands_ = {};  // what it gives has its own
    restore(before);
    std::swap(scopes_, outer);
    --returned_depth_;
    if (values.empty()) return {unknown()};
    Value made = values.front();
    for (const Value& one : values) made = either(made, most(made.number), one, most(one.number));
    return made;
}

}  // namespace parallax::body
