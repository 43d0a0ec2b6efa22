// Evaluates the expressions of a body symbolically.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "mapping/body/symbolic_executor.hpp"

namespace parallax::body {

Value* SymbolicExecutor::variable(std::string_view name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    }
    return nullptr;
}

/// Whether the value is calculated in floating point. Converted to an integer it is then a new
/// number, which no polynomial describes.
bool SymbolicExecutor::is_rounded(const Node& node, const Value& value) const {
    const auto all = value.number.symbols();
    const bool is_one = all.size() == 1 && value.number == Poly::of(*all.begin());
    return is_float_element(node.type.value.element) && node.type.pointers == 0 && !is_one;
}

/// Notes a conversion to an integer of one or two bytes: that is a grey or a colour, whose last bit
/// depends on rounding.
void SymbolicExecutor::note_rounded(const Type& from, const Type& to) {
    note_conversion(from, to);
    const auto [element, width] = to.value;
    const bool small = to.pointers == 0 && to.value.known() && !is_float_element(element) &&
                       element != "void" && element != "bool" && element_bytes(element) <= 2;
    if (small && from.pointers == 0 && is_float_element(from.value.element)) {
        read_.rounded.insert(std::string(element));
    }
}

void SymbolicExecutor::note_conversion(const Type& from, const Type& to) {
    const std::string_view element = to.value.element;
    read_.converts =
        read_.converts ||
        (from.pointers == 0 && is_float_element(from.value.element) && to.pointers == 0 &&
         to.value.known() && !is_float_element(element) && element != "void" && element != "bool");
}

Value SymbolicExecutor::evaluate(const Tree& tree, int node) {
    if (++steps_ > most_steps || depth_ > 400) return {unknown()};
    ++depth_;
    const Operands outer = std::exchange(operands_, {});
    const std::size_t first_symbol = read_.symbols.size();
    Value made = evaluate_new(tree, node);
    --depth_;
    if (made.number.terms().size() > 40) made.number = unknown_from(made);
    pass_on(at(tree, node), made, first_symbol);
    operands_.arrival = std::max(operands_.arrival, outer.arrival);
    operands_.by_item = operands_.by_item || outer.by_item;
    operands_.on |= outer.on;
    return made;
}

Value SymbolicExecutor::evaluate_new(const Tree& tree, int index) {
    const Node& node = at(tree, index);
    switch (node.kind) {
        case Node::Kind::name: {
            if (const Value* known = variable(text_at(node.first))) return *known;
            // A macro of a whole number.
            const ValueType& type = node.type.value;
            const bool is_whole =
                node.type.pointers == 0 && type.known() && !is_float_element(type.element);
            const double value = is_whole ? parser_.constant(node.first, node.first + 1) : 0;
            return {value != 0 ? Poly(value) : unknown()};
        }
        case Node::Kind::number: {
            const auto value = whole_number(text_at(node.first));
            return {value ? Poly(*value) : unknown()};
        }
        case Node::Kind::text:
        case Node::Kind::size: return {unknown()};
        case Node::Kind::call: return call(tree, node);
        case Node::Kind::index: return in_parts(load(place(tree, index)), node.type);
        case Node::Kind::member: return member(tree, node);
        case Node::Kind::prefix:
            if (text_at(node.operator_token) == "*")
                return in_parts(load(place(tree, index)), node.type);
            return prefix(tree, node);
        case Node::Kind::postfix: return step(tree, node);
        case Node::Kind::binary: return binary(tree, node);
        case Node::Kind::assign: return assign(tree, node);
        case Node::Kind::choice: return choice(tree, node);
        case Node::Kind::cast: return cast(tree, node);
        case Node::Kind::literal: return vector_literal(tree, node);
        case Node::Kind::braces:
        case Node::Kind::compound: return braced(tree, node);
        case Node::Kind::group: return evaluate(tree, node.parts[0]);
    }
    return {unknown()};
}

Value SymbolicExecutor::prefix(const Tree& tree, const Node& node) {
    const std::string_view operation = text_at(node.operator_token);
    if (operation == "&") {
        const Place what = place(tree, node.parts[0]);
        if (what.variable.empty()) return what.pointer;
        // A function's change of the variable is not tracked.
        if (Value* own = variable(what.variable); own && own->memory < 0)
            *own = {unknown({.ids = shared_.contains(what.variable) ? of_grid : anybody})};
        return {unknown()};
    }
    if (operation == "++" || operation == "--") return step(tree, node);
    Value value = evaluate(tree, node.parts[0]);
    if (operation == "+") return value;
    if (operation == "-") note_sum(node.type, value.number);
    if (operation == "~" && value.number.number()) return {value.number * Poly(-1) - Poly(1)};
    return {operation == "-" ? value.number * Poly(-1) : unknown()};
}

Value SymbolicExecutor::step(const Tree& tree, const Node& node) {
    const Place what = place(tree, node.parts[0]);
    const Value before = load(what);
    const Value behind = arithmetic(text_at(node.operator_token).substr(1), before, {Poly(1)});
    store(what, behind);
    return node.kind == Node::Kind::prefix ? behind : before;
}

Value SymbolicExecutor::cast(const Tree& tree, const Node& node) {
    const Node& what = at(tree, node.parts[0]);
    Value value = evaluate(tree, node.parts[0]);
    note_rounded(what.type, node.type);
    if (value.memory >= 0) {
        return node.type.pointers == 1 ? pointing(std::move(value), what.type, node.type) : value;
    }
    const bool is_whole = !is_float_element(node.type.value.element) && !is_rounded(what, value);
    return is_whole ? value : Value{unknown()};
}

Value SymbolicExecutor::vector_literal(const Tree& tree, const Node& node) {
    Value made{unknown()};
    for (const int one : node.parts) {
        Value value = evaluate(tree, one);
        if (at(tree, one).type.is_vector() && value.parts.empty()) {
            value.parts.resize(at(tree, one).type.value.width, {unknown()});
        }
        if (value.parts.empty()) value.parts = {value};
        made.parts.insert(made.parts.end(), value.parts.begin(), value.parts.end());
    }
    if (made.parts.size() == 1) {
        const Value all = made.parts[0];
        made.parts.resize(node.type.value.width, all);
    }
    return made;
}

/// The components of a vector in braces; all in braces is followed.
Value SymbolicExecutor::braced(const Tree& tree, const Node& node) {
    Value made{unknown()};
    bool is_plain = node.type.is_vector() && node.type.pointers == 0 &&
                    node.parts.size() == node.type.value.width;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        made.parts.push_back(evaluate(tree, node.parts[i]));
        is_plain = is_plain && node.named[i] == 0 && !at(tree, node.parts[i]).type.is_vector();
    }
    if (!is_plain) made.parts.clear();
    return made;
}

Value SymbolicExecutor::binary(const Tree& tree, const Node& node) {
    const std::string_view operation = text_at(node.operator_token);
    if (is_comparison(operation)) {
        for (int part : node.parts) {
            note_edge(tree, part);
            while (at(tree, part).kind == Node::Kind::group) part = at(tree, part).parts[0];
            compared_.insert(&at(tree, part));
        }
    }
    const Value left = evaluate(tree, node.parts[0]);
    if (operation == "&&" || operation == "||") {
        const Checkpoint before = checkpoint();
        hold(tree, node.parts[0], operation == "&&", true);
        note_truth(left.number);
        note_truth(evaluate(tree, node.parts[1]).number);
        restore(before);
        return {unknown()};
    }
    Value right = evaluate(tree, node.parts[1]);
    if (operation == ",") return right;
    const auto note_name = [&](int part, std::set<int>& into) {
        while (at(tree, part).kind == Node::Kind::group ||
               at(tree, part).kind == Node::Kind::cast) {
            part = at(tree, part).parts[0];
        }
        if (at(tree, part).kind == Node::Kind::name) {
            into.merge(evaluate(tree, part).number.symbols());
        }
    };
    if (operation == "/" || operation == "%") {
        note_name(node.parts[1], read_.divisors);
        for (const int one : right.number.symbols()) {
            if (is_kind(one, Kind::loaded)) read_.divisors.insert(one);
        }
    }
    if (operation == "*") {
        for (const int part : node.parts) note_name(part, read_.factors);
    }
    // A difference that is only compared shows which number is larger, whatever these are.
    const bool adds = operation == "+" || operation == "*" || operation == "<<" ||
                      (operation == "-" && !compared_.contains(&node));
    if (adds) {
        for (const Poly& one : {left.number, right.number}) note_sum(node.type, one);
    }
    // A shift to the right by much leaves a small number, whatever the number was.
    const ValueType type = at(tree, node.parts[0]).type.value;
    const auto count = right.number.number();
    if (operation == ">>" && count && type.known() && !is_float_element(type.element) &&
        !is_signed_element(type.element) && left.parts.empty() &&
        (loaded_in(left.number) >= 0 || !most(left.number))) {
        const double rest = 8.0 * element_bytes(type.element) - *count;
        if (rest > 0 && rest <= 16) {
            read_.bits.merge(sources(left.number));
            return {
                Poly::of(make({.upper = Poly(std::exp2(rest) - 1), .from = sources(left.number)}))};
        }
    }
    return arithmetic(operation, left, right);
}

/// Notes what is added up or multiplied as signed numbers.
void SymbolicExecutor::note_sum(const Type& type, const Poly& number) {
    const std::string_view element = type.value.element;
    const bool known = type.pointers == 0 && type.value.known() && element != "void";
    if (known && (is_float_element(element) || !is_signed_element(element))) return;
    read_.summed.merge(sources(number));
    read_.sums_any = read_.sums_any || std::ranges::any_of(number.symbols(), [&](int one) {
                         const Symbol& what = symbol(one);
                         return what.kind == Kind::other && !what.upper && what.from.empty() &&
                                !rising_.contains(one);
                     });
}

/// Notes a number that something in floating point is compared with.
void SymbolicExecutor::note_edge(const Tree& tree, int node) {
    while (at(tree, node).kind == Node::Kind::group || at(tree, node).kind == Node::Kind::prefix)
        node = at(tree, node).parts[0];
    if (at(tree, node).kind != Node::Kind::number) return;
    const std::string_view text = text_at(at(tree, node).first);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && is_float_element(at(tree, node).type.value.element))
        read_.float_edge = std::max(read_.float_edge, value);
}

/// `x & mask` is at most the mask; for a mask of 2^n - 1 it is a remainder.
Value SymbolicExecutor::masked(const Value& a, const Value& b) {
    const Value& mask = varies(a.number) || loaded_in(a.number) >= 0 || b.number.number() ? b : a;
    const Value& what = &mask == &b ? a : b;
    if (varies(mask.number)) return {unknown()};
    const auto bits = mask.number.number();
    if (bits && *bits >= 0 &&
        (static_cast<std::uint64_t>(*bits) & (static_cast<std::uint64_t>(*bits) + 1)) == 0) {
        return {remainder(what.number, mask.number + Poly(1))};
    }
    if (bits && *bits < 0) {
        return {Poly::of(make({.upper = most(what.number), .from = sources(what.number)}))};
    }
    // A mask of loaded data bounds the indices that it yields. A mask of a work-item id does not:
    // it extracts a part of the id.
    const auto all = what.number.symbols();
    const bool place = std::ranges::any_of(all, [&](int one) {
        return is_kind(one, Kind::local_id) || is_kind(one, Kind::global_id);
    });
    if (!place) note_bound(mask.number);
    const int rest = make({.upper = mask.number, .from = sources(what.number)});
    folded_.insert(rest);
    return {Poly::of(rest)};
}

/// Replaces the number of work-groups times their size by the number of work-items.
Poly SymbolicExecutor::launched(Poly product) {
    for (int d = 0; d < 3; ++d) {
        const auto groups = known_.find({Kind::groups, d, ""});
        const auto size = known_.find({Kind::local_size, d, ""});
        if (groups == known_.end() || size == known_.end()) continue;
        if (product == Poly::of(groups->second) * Poly::of(size->second)) {
            return Poly::of(known(Kind::global_size, d));
        }
    }
    return product;
}

Value SymbolicExecutor::arithmetic(std::string_view operation, const Value& a, const Value& b) {
    if (!a.parts.empty() || !b.parts.empty()) {
        Value made{unknown()};
        const std::size_t width = std::max(a.parts.size(), b.parts.size());
        for (std::size_t i = 0; i < width; ++i) {
            made.parts.push_back(arithmetic(
                operation, a.parts.empty() ? a : a.parts[std::min(i, a.parts.size() - 1)],
                b.parts.empty() ? b : b.parts[std::min(i, b.parts.size() - 1)]));
        }
        return made;
    }
    if (a.memory >= 0 || b.memory >= 0) {
        Value made = a.memory >= 0 ? a : b;
        const Value& other = a.memory >= 0 ? b : a;
        if (operation == "+") {
            made.number += other.number * Poly(made.unit);
        } else if (operation == "-" && other.memory < 0) {
            made.number = made.number - other.number * Poly(made.unit);
        } else {
            return {unknown()};
        }
        return made;
    }
    if (operation == "+") return {a.number + b.number};
    if (operation == "-") return {a.number - b.number};
    if (operation == "*") return {launched(a.number * b.number)};
    if (operation == "/") return {quotient(a.number, b.number)};
    if (operation == "%") return {remainder(a.number, b.number)};
    const auto count = b.number.number();
    if (operation == "^") read_.bits.merge(sources(a.number));
    if (operation == ">>" || (operation == "&" && count)) {
        for (const int one : a.number.symbols()) {
            const Symbol& what = symbol(one);
            if (what.kind == Kind::loaded) {
                read_.bits.insert(static_cast<std::size_t>(what.number));
            }
        }
    }
    if (operation == "<<" && count && *count < 40) {
        return {a.number *
                Poly(static_cast<double>(std::uint64_t{1} << static_cast<unsigned>(*count)))};
    }
    if (operation == ">>" && count && *count < 40) {
        return {quotient(a.number, Poly(static_cast<double>(std::uint64_t{1}
                                                            << static_cast<unsigned>(*count))))};
    }
    if (operation == "&") return masked(a, b);
    if (operation == "^" && varies(a.number)) {
        // The partner of a work-item, `i ^ k`: where sizes are powers of two, it is no larger than
        // the maximum of `i`.
        const auto top = most(a.number);
        return {Poly::of(make({.upper = top, .from = sources(a.number)}))};
    }
    return {unknown()};
}

Value SymbolicExecutor::choice(const Tree& tree, const Node& node) {
    Dependence asked = dependence_of(evaluate(tree, node.parts[0]));
    asked.chosen |= std::exchange(asked.ids, nobody);
    const auto side = [&](std::size_t i) {
        const Checkpoint before = checkpoint();
        const std::size_t extents = read_.extents.size();
        hold(tree, node.parts[0], i == 1, true);
        for (std::size_t k = extents; k < read_.extents.size(); ++k) {
            read_.extents[k].in_choice = true;
        }
        const Value value = evaluate(tree, node.parts[i]);
        const auto top = most(value.number);
        restore(before);
        return std::pair{value, top};
    };
    const auto yes = side(1), no = side(2);
    Value made = either(yes.first, yes.second, no.first, no.second);
    if (!(yes.first == no.first)) add_to(made, asked);
    return made;
}

Value SymbolicExecutor::member(const Tree& tree, const Node& node) {
    const Node& of = at(tree, node.parts[0]);
    const std::string_view name = text_at(node.operator_token);
    if (of.kind == Node::Kind::name) {
        const Value* known = variable(text_at(of.first));
        if (known && known->memory < 0) {
            const auto which = component(name);
            if (which && *which < known->parts.size()) return known->parts[*which];
            // A struct by value: its members are numbers of their own.
            const auto own = known->number.symbols();
            if (of.type.record > 0 && own.size() == 1 && is_kind(*own.begin(), Kind::parameter)) {
                return member_value(node, symbol(*own.begin()).number, name);
            }
            return {unknown_from(*known)};
        }
    }
    if (text_at(node.operator_token - 1) == "->") {
        const Value pointer = evaluate(tree, node.parts[0]);
        if (pointer.memory < 0) return {unknown()};
        access(pointer, 1, true, false);
        Dependence on = dependence(pointer.number);
        on |= memories_.at(static_cast<std::size_t>(pointer.memory)).holds;
        const bool first = pointer.number == Poly(0);
        const auto which = static_cast<std::size_t>(pointer.memory);
        if (first && memories_.at(which).is_parameter) {
            return member_value(node, pointer.memory, name);
        }
        return {unknown(on, arrival_of(pointer))};
    }
    const Value value = evaluate(tree, node.parts[0]);
    const auto which = component(name);
    if (which && *which < value.parts.size()) return value.parts[*which];
    // A struct within one: its members are numbers, too.
    const auto own = value.number.symbols();
    if (of.type.record > 0 && own.size() == 1 && is_kind(*own.begin(), Kind::member)) {
        return member_value(node, symbol(*own.begin()).number, name);
    }
    return {unknown_from(value)};
}

Value SymbolicExecutor::member_value(const Node& node, int parameter, std::string_view name) {
    Value made{Poly::of(known_member(parameter, name))};
    for (unsigned i = 0; node.type.is_vector() && i < node.type.value.width; ++i) {
        made.parts.push_back(
            {Poly::of(known_member(parameter, component_of(std::string(name), i)))});
    }
    return made;
}

Value SymbolicExecutor::assign(const Tree& tree, const Node& node) {
    const std::string_view operation = text_at(node.operator_token);
    const Value right = evaluate(tree, node.parts[1]);
    const Place what = place(tree, node.parts[0]);
    Value value = right;
    if (operation != "=") {
        const Value before = load(what);
        if (operation == "+=" || operation == "-=" || operation == "*=" || operation == "<<=") {
            for (const Value* one : {&before, &right})
                note_sum(at(tree, node.parts[0]).type, one->number);
        }
        value = arithmetic(operation.substr(0, operation.size() - 1), before, right);
    }
    const Type type = at(tree, node.parts[0]).type;
    note_rounded(at(tree, node.parts[1]).type, type);
    if (value.memory < 0 && is_float_element(type.value.element) && value.parts.empty()) {
        const bool is_sum = what.pointer.memory >= 0 && is_updated(what.pointer, value);
        value = {unknown_from(value)};
        if (is_sum)
            sums_.insert(
                {static_cast<std::size_t>(what.pointer.memory), *value.number.symbols().begin()});
    }
    if (at(tree, node.parts[1]).type.value.element == "void" && type.pointers == 1) {
        value = pointing(std::move(value), at(tree, node.parts[1]).type, type);
    }
    store(what, value);
    return value;
}

/// A pointer as one to another type, by a cast or, of one to void, without.
Value SymbolicExecutor::pointing(Value value, const Type& from, const Type& to) const {
    if (value.memory < 0) return value;
    value.unit *= elements_of(to) / elements_of(from);
    value.to = to.record != 0 ? ValueType{"struct"} : to.value;
    return value;
}

}  // namespace parallax::body
