// The expressions of a body, with quantities for values.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "mapping/body/reader.hpp"
#include "mapping/translate/builtins.hpp"
#include "mapping/translate/word_lists.hpp"

namespace parallax::body {
namespace {

std::optional<double> whole_number(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (error != std::errc() || rest.find_first_not_of("uUlL") != rest.npos) return {};
    return static_cast<double>(value);
}

/// The component that a name selects, from 0; nothing for several.
std::optional<std::size_t> component(std::string_view name) {
    if (name.size() == 1) {
        const std::size_t found = std::string_view("xyzw").find(name[0]);
        if (found != std::string_view::npos) return found;
    }
    if (name.size() == 2 && name[0] == 's' && name[1] >= '0' && name[1] <= '9')
        return name[1] - '0';
    return {};
}

}  // namespace

double Reader::elements_of(const Type& type) const {
    if (type.pointers > 1 || !type.value.known() || type.value.element == "void") return 1;
    return element_bytes(type.value.element) * (type.value.width == 3 ? 4 : type.value.width);
}

Value* Reader::variable(std::string_view name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    }
    return nullptr;
}

Value Reader::evaluate(const Tree& tree, int node) {
    if (++steps_ > most_steps || depth_ > 400) return {unknown()};
    ++depth_;
    Value made = evaluate_new(tree, node);
    --depth_;
    if (made.number.terms().size() > 40) made.number = unknown();
    return made;
}

Value Reader::evaluate_new(const Tree& tree, int index) {
    const Node& node = at(tree, index);
    const auto part = [&](std::size_t i) { return evaluate(tree, node.parts[i]); };
    switch (node.kind) {
        case Node::Kind::name: {
            const Value* known = variable(word(node.first));
            return known ? *known : Value{unknown()};
        }
        case Node::Kind::number: {
            const auto value = whole_number(word(node.first));
            return {value ? Poly(*value) : unknown()};
        }
        case Node::Kind::text: return {unknown()};
        case Node::Kind::call: return call(tree, node);
        case Node::Kind::index: return load(place(tree, index));
        case Node::Kind::member: return member(tree, node);
        case Node::Kind::prefix: {
            const std::string_view mark = word(node.mark);
            if (mark == "*") return load(place(tree, index));
            if (mark == "&") {
                const Place what = place(tree, node.parts[0]);
                if (what.variable.empty()) return what.pointer;
                // What a function does with it is not followed.
                if (Value* own = variable(what.variable); own && own->memory < 0) {
                    *own = {unknown()};
                }
                return {unknown()};
            }
            if (mark == "++" || mark == "--") {
                const Place what = place(tree, node.parts[0]);
                const Value value = arithmetic(mark.substr(1), load(what), {Poly(1)});
                store(what, value);
                return value;
            }
            const Value value = part(0);
            if (mark == "+") return value;
            return {mark == "-" ? value.number * Poly(-1) : unknown()};
        }
        case Node::Kind::postfix: {
            const Place what = place(tree, node.parts[0]);
            const Value before = load(what);
            store(what, arithmetic(word(node.mark).substr(1), before, {Poly(1)}));
            return before;
        }
        case Node::Kind::binary: return binary(tree, node);
        case Node::Kind::assign: return assign(tree, node);
        case Node::Kind::choice: return choice(tree, node);
        case Node::Kind::cast: {
            Value value = part(0);
            if (value.memory >= 0 && node.type.pointers == 1) {
                const Type from = at(tree, node.parts[0]).type;
                value.unit *= elements_of(node.type) / elements_of(from);
            } else if (value.memory < 0 && is_float_element(node.type.value.element)) {
                return {unknown()};
            }
            return value;
        }
        case Node::Kind::literal: {
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
        case Node::Kind::braces:
        case Node::Kind::compound:
            for (const int one : node.parts) evaluate(tree, one);
            return {unknown()};
        case Node::Kind::group: return part(0);
        case Node::Kind::size: return {unknown()};
    }
    return {unknown()};
}

Value Reader::binary(const Tree& tree, const Node& node) {
    const std::string_view mark = word(node.mark);
    const Value left = evaluate(tree, node.parts[0]);
    if (mark == "&&" || mark == "||") {
        const Mark before = mark_now();
        hold(tree, node.parts[0], mark == "&&", true);
        evaluate(tree, node.parts[1]);
        back_to(before);
        return {unknown()};
    }
    const Value right = evaluate(tree, node.parts[1]);
    if (mark == ",") return right;
    return arithmetic(mark, left, right);
}

Value Reader::arithmetic(std::string_view mark, const Value& a, const Value& b) {
    if (!a.parts.empty() || !b.parts.empty()) {
        Value made{unknown()};
        const std::size_t width = std::max(a.parts.size(), b.parts.size());
        for (std::size_t i = 0; i < width; ++i) {
            made.parts.push_back(
                arithmetic(mark, a.parts.empty() ? a : a.parts[std::min(i, a.parts.size() - 1)],
                           b.parts.empty() ? b : b.parts[std::min(i, b.parts.size() - 1)]));
        }
        return made;
    }
    if (a.memory >= 0 || b.memory >= 0) {
        Value made = a.memory >= 0 ? a : b;
        const Value& other = a.memory >= 0 ? b : a;
        if (mark == "+") {
            made.number += other.number * Poly(made.unit);
        } else if (mark == "-" && other.memory < 0) {
            made.number = made.number - other.number * Poly(made.unit);
        } else {
            return {unknown()};
        }
        return made;
    }
    if (mark == "+") return {a.number + b.number};
    if (mark == "-") return {a.number - b.number};
    if (mark == "*") return {a.number * b.number};
    if (mark == "/") return {quotient(a.number, b.number)};
    if (mark == "%") return {remainder(a.number, b.number)};
    const auto count = b.number.number();
    if (mark == "<<" && count && *count < 40) {
        return {a.number *
                Poly(static_cast<double>(std::uint64_t{1} << static_cast<unsigned>(*count)))};
    }
    if (mark == ">>" && count && *count < 40) {
        return {quotient(a.number, Poly(static_cast<double>(std::uint64_t{1}
                                                            << static_cast<unsigned>(*count))))};
    }
    if (mark == "&") {
        // A mask leaves what is below it; of a power of two less one it is a remainder.
        const Value& mask = varies(a.number) ? b : a;
        const Value& masked = varies(a.number) ? a : b;
        if (varies(mask.number)) return {unknown()};
        const auto bits = mask.number.number();
        if (bits && *bits >= 0 &&
            (static_cast<std::uint64_t>(*bits) & (static_cast<std::uint64_t>(*bits) + 1)) == 0) {
            return {remainder(masked.number, mask.number + Poly(1))};
        }
        if (bits && *bits < 0) return {unknown()};
        return {Poly::of(make({.upper = mask.number}))};
    }
    if (mark == "^" && varies(a.number)) {
        // A partner: as far as who looks for it, where sizes are powers of two.
        const auto top = most(a.number);
        return {Poly::of(make({.upper = top}))};
    }
    return {unknown()};
}

Value Reader::choice(const Tree& tree, const Node& node) {
    evaluate(tree, node.parts[0]);
    const auto side = [&](std::size_t i) {
        const Mark before = mark_now();
        hold(tree, node.parts[0], i == 1, true);
        const Value value = evaluate(tree, node.parts[i]);
        const auto top = most(value.number);
        back_to(before);
        return std::pair{value, top};
    };
    const auto yes = side(1), no = side(2);
    return either(yes.first, yes.second, no.first, no.second);
}

Value Reader::member(const Tree& tree, const Node& node) {
    const Node& of = at(tree, node.parts[0]);
    const std::string_view name = word(node.mark);
    if (of.kind == Node::Kind::name) {
        const Value* known = variable(word(of.first));
        if (known && known->memory < 0) {
            const auto which = component(name);
            if (which && *which < known->parts.size()) return known->parts[*which];
            // A struct by value: its members are numbers of their own.
            const auto own = known->number.quantities();
            if (of.type.record > 0 && own.size() == 1 && is_kind(*own.begin(), Kind::parameter)) {
                return {Poly::of(known_member(quantity(*own.begin()).number, name))};
            }
            return {unknown()};
        }
    }
    if (word(node.mark - 1) == "->") {
        const Value pointer = evaluate(tree, node.parts[0]);
        if (pointer.memory < 0) return {unknown()};
        access(pointer, 1, true, false);
        const bool first = pointer.number == Poly(0);
        const auto which = static_cast<std::size_t>(pointer.memory);
        if (first && memories_.at(which).is_parameter) {
            return {Poly::of(known_member(pointer.memory, name))};
        }
        return {unknown()};
    }
    const Value value = evaluate(tree, node.parts[0]);
    const auto which = component(name);
    if (which && *which < value.parts.size()) return value.parts[*which];
    return {unknown()};
}

Value Reader::assign(const Tree& tree, const Node& node) {
    const std::string_view mark = word(node.mark);
    const Value right = evaluate(tree, node.parts[1]);
    const Place what = place(tree, node.parts[0]);
    Value value = right;
    if (mark != "=") {
        value = arithmetic(mark.substr(0, mark.size() - 1), load(what), right);
    }
    const Type type = at(tree, node.parts[0]).type;
    if (value.memory < 0 && is_float_element(type.value.element) && value.parts.empty()) {
        value = {unknown()};
    }
    store(what, value);
    return value;
}

Reader::Place Reader::place(const Tree& tree, int index) {
    const Node& node = at(tree, index);
    switch (node.kind) {
        case Node::Kind::name: return {word(node.first), {}};
        case Node::Kind::group:
        case Node::Kind::cast: return place(tree, node.parts[0]);
        case Node::Kind::index: {
            Value base = evaluate(tree, node.parts[0]);
            const Value by = evaluate(tree, node.parts[1]);
            if (base.memory < 0) return {{}, {unknown()}};
            return {{}, indexed(base, by.number)};
        }
        case Node::Kind::prefix:
            if (word(node.mark) == "*") return {{}, evaluate(tree, node.parts[0])};
            break;
        case Node::Kind::member: {
            Place inner = word(node.mark - 1) == "->" ? Place{{}, evaluate(tree, node.parts[0])}
                                                      : place(tree, node.parts[0]);
            inner.member = true;
            return inner;
        }
        default: break;
    }
    evaluate(tree, index);
    return {{}, {unknown()}};
}

Value Reader::indexed(Value pointer, const Poly& index) {
    const auto& extents = memories_.at(static_cast<std::size_t>(pointer.memory)).extents;
    if (pointer.depth < extents.size()) {
        note_local(memories_[static_cast<std::size_t>(pointer.memory)], pointer.depth, index);
        ++pointer.depth;
        return pointer;
    }
    pointer.number += index * Poly(pointer.unit);
    return pointer;
}

Value Reader::load(const Place& what) {
    if (!what.variable.empty()) {
        const Value* known = variable(what.variable);
        if (!known) return {unknown()};
        return what.member ? Value{unknown()} : *known;
    }
    if (what.pointer.memory < 0) return {unknown()};
    const Memory& memory = memories_.at(static_cast<std::size_t>(what.pointer.memory));
    if (what.pointer.depth < memory.extents.size()) return what.pointer;  // a row of an array
    access(what.pointer, what.pointer.unit, true, false, false, what.member);
    if (!memory.is_parameter || !memory.single || what.member) return {unknown()};
    for (std::size_t i = 0; i < read_.quantities.size(); ++i) {
        const Quantity& one = read_.quantities[i];
        if (one.kind == Kind::loaded && one.number == what.pointer.memory &&
            one.whole == what.pointer.number) {
            return {Poly::of(static_cast<int>(i))};
        }
    }
    return {Poly::of(
        make({.kind = Kind::loaded, .number = what.pointer.memory, .whole = what.pointer.number}))};
}

void Reader::store(const Place& what, const Value& value) {
    if (what.variable.empty()) {
        if (what.pointer.memory >= 0) {
            access(what.pointer, what.pointer.unit, false, true, false, what.member);
        }
        return;
    }
    if (Value* known = variable(what.variable)) {
        if (what.member) {
            *known = {unknown()};
        } else if (known->memory < 0 || value.memory >= 0) {
            *known = value;
        }
    }
}

void Reader::note_local(const Memory& memory, std::size_t depth, const Poly& index) {
    const double extent = depth < memory.extents.size() ? memory.extents[depth] : 0;
    if (extent < 1) return;
    const Poly at = whole(index);
    std::vector<std::pair<double, int>> ids;
    double beyond = 0;
    for (const auto& [product, number] : at.terms()) {
        if (product.empty()) {
            beyond = number;
        } else if (product.size() == 1 && product[0].second == 1 &&
                   is_kind(product[0].first, Kind::local_id)) {
            ids.emplace_back(number, quantity(product[0].first).number);
        } else {
            return;
        }
    }
    std::ranges::sort(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool last = i + 1 == ids.size();
        const double size = last ? (extent - std::max(beyond, 0.0)) / ids[i].first
                                 : ids[i + 1].first / ids[i].first;
        unsigned& fitting = read_.fitting.at(static_cast<std::size_t>(ids[i].second));
        if (size >= 1 && (fitting == 0 || size < fitting)) fitting = static_cast<unsigned>(size);
    }
}

void Reader::access(const Value& pointer, double elements, bool loads, bool stores, bool atomic,
                    bool is_member) {
    const Memory& memory = memories_.at(static_cast<std::size_t>(pointer.memory));
    if (!memory.is_parameter) {
        return;
    }
    BodyAccess made{.parameter = static_cast<std::size_t>(pointer.memory),
                    .most = most(pointer.number),
                    .loads = loads,
                    .stores = stores,
                    .atomic = atomic};
    if (made.most && elements > 1) *made.most += Poly(elements - 1);
    // What multiplies what varies is a length.
    const Poly index = whole(pointer.number);
    for (const auto& [product, number] : index.terms()) {
        if (std::ranges::none_of(product, [&](const auto& one) { return varies(one.first); })) {
            continue;
        }
        for (const auto& [one, power] : product) {
            if (!varies(one)) read_.bounding.insert(one);
        }
    }
    // How far apart the elements are that are reached.
    made.together = elements;
    made.apart = varies(index) ? HUGE_VAL : 1;
    for (const auto& [product, number] : index.terms()) {
        if (product.size() == 1 && varies(product[0].first) && product[0].second == 1) {
            made.apart = std::min(made.apart, std::abs(number));
        }
        for (const auto& [one, power] : product) {
            made.partial = made.partial || is_kind(one, Kind::loaded);
        }
    }
    Stored stored{read_.accesses.size(), pointer, {}};
    std::set<int> quantities = index.quantities();
    for (std::size_t i = 0; i < limits_.size(); ++i) {
        bool leaves_out = limits_[i].all;
        for (const int one : limits_[i].quantities) {
            leaves_out = leaves_out || quantities.contains(one);
            // A global id is its parts, too.
            for (const int other : quantities) {
                leaves_out = leaves_out ||
                             (is_kind(other, Kind::global_id) && is_kind(one, Kind::local_id) &&
                              quantity(other).number == quantity(one).number);
            }
        }
        if (leaves_out) stored.limits.push_back(i);
    }
    made.partial = made.partial || !stored.limits.empty() || (is_member && !memory.single);
    if (stores) stored_.push_back(std::move(stored));
    read_.accesses.push_back(std::move(made));
}

Value Reader::work_item(std::string_view name, int d) {
    const auto of = [&](Kind kind) { return Poly::of(known(kind, d)); };
    const unsigned required = read_.required.at(static_cast<std::size_t>(d));
    const Poly size = required != 0 ? Poly(required) : of(Kind::local_size);
    read_.dimensions = std::max(read_.dimensions, d + 1);
    if (name == "get_global_id") return {of(Kind::global_id)};
    if (name == "get_local_id") return {of(Kind::local_id)};
    if (name == "get_group_id") return {of(Kind::group_id)};
    if (name == "get_num_groups") return {of(Kind::groups)};
    if (name == "get_global_size") return {of(Kind::global_size)};
    if (name == "get_global_offset") return {Poly(0)};
    return {size};
}

Value Reader::call(const Tree& tree, const Node& node) {
    const std::string_view name = word(node.first);
    std::vector<Value> arguments;
    for (const int one : node.parts) {
        const Node& part = at(tree, one);
        arguments.push_back(evaluate(tree, one));
        // Through the address of a variable anything may be written.
        if (part.kind == Node::Kind::prefix && word(part.mark) == "&") {
            const Node& what = at(tree, part.parts[0]);
            if (what.kind == Node::Kind::name) store({word(what.first), {}}, {unknown()});
        }
    }
    const auto number = [&](std::size_t i) {
        return i < arguments.size() ? arguments[i].number : unknown();
    };
    if (is_one_of(name, {"get_global_id", "get_local_id", "get_group_id", "get_num_groups",
                         "get_global_size", "get_local_size", "get_enqueued_local_size",
                         "get_global_offset"})) {
        const auto d = number(0).number();
        return d && *d >= 0 && *d < 3 ? work_item(name, static_cast<int>(*d)) : Value{unknown()};
    }
    for (const Item& item : outline_.items) {
        if (item.kind == Item::Kind::helper && item.body != 0 && word(item.name) == name) {
            return inlined(item, arguments);
        }
    }
    if (auto made = memory_call(name, arguments)) return *made;
    if (name == "mul24" && arguments.size() == 2) return {number(0) * number(1)};
    if ((name == "mad24" || name == "mad") && arguments.size() == 3) {
        return {number(0) * number(1) + number(2)};
    }
    if (name == "clamp" && arguments.size() == 3) return {Poly::of(make({.upper = number(2)}))};
    if ((name == "min" || name == "max") && arguments.size() == 2) {
        const bool least = name == "min";
        auto a = most(number(0)), b = most(number(1));
        if (!least) return either(arguments[0], a, arguments[1], b);
        // Of the two the one that no launch decides.
        const bool second = !a || (b && !varies(number(1)));
        return {Poly::of(make({.upper = second ? b : a}))};
    }
    if ((name.starts_with("convert_") || name.starts_with("as_") || name == "abs") &&
        arguments.size() == 1 && !is_float_element(node.type.value.element)) {
        return arguments[0];
    }
    return {unknown()};
}

std::optional<Value> Reader::memory_call(std::string_view name,
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
            access(indexed(*to, arguments[loads ? 0 : 1].number * Poly(width)), width, loads,
                   !loads);
        }
        return Value{unknown()};
    }
    if (name.starts_with("async_work_group")) {
        for (const std::size_t i : {0u, 1u}) {
            const Value* to = pointer(i);
            if (!to || arguments.size() < 3) continue;
            access(indexed(*to, arguments[2].number - Poly(1)), 1, i == 1, i == 0);
        }
        return Value{unknown()};
    }
    bool any = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Value* to = pointer(i);
        if (!to || name == "prefetch") continue;
        any = true;
        const bool atomic = name.starts_with("atom");
        access(*to, to->unit, atomic, true, atomic);
    }
    return any ? std::optional(Value{unknown()}) : std::nullopt;
}

Value Reader::inlined(const Item& function, const std::vector<Value>& arguments) {
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
            } else if (outline_[last].kind == TokenKind::word) {
                break;
            }
        }
        names[word(last)] = arguments[p];
    }
    // Its names are its own, and its conditions end with it.
    std::vector<Names> outer{std::move(names)};
    std::swap(scopes_, outer);
    const Mark before = mark_now();
    std::vector<Value> values;
    std::vector<Value>* const caller = std::exchange(returned_, &values);
    block(function.body);
    returned_ = caller;
    back_to(before);
    std::swap(scopes_, outer);
    --returned_depth_;
    if (values.empty()) return {unknown()};
    Value made = values.front();
    for (const Value& one : values) made = either(made, most(made.number), one, most(one.number));
    return made;
}

}  // namespace parallax::body
