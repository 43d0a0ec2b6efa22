// The loads and stores of a body: their places, and the range of their indices.
#include <algorithm>
#include <cmath>
#include <functional>

#include "mapping/body/symbolic_executor.hpp"

namespace parallax::body {
namespace {

/// Bytes and alignment of a struct's members one behind the other.
std::pair<double, double> extent_of(const std::vector<Member>& members, bool packed) {
    double bytes = 0, most = 1;
    for (const Member& one : members) {
        auto [size, alignment] = extent_of(one.members, packed);
        if (const auto type = value_type_named(one.type)) {
            size = alignment = element_bytes(type->element) * (type->width == 3 ? 4 : type->width);
        }
        if (packed) alignment = 1;
        bytes = std::ceil(bytes / alignment) * alignment + size * one.elements;
        most = std::max(most, alignment);
    }
    return {std::ceil(bytes / most) * most, most};
}

}  // namespace

double SymbolicExecutor::elements_of(const Type& type) const {
    if (type.pointers == 1 && type.record != 0) {
        const bool packed = parser_.obstacle_of(type.record) == "packed";
        return std::max(extent_of(parser_.declared_members(type.record), packed).first, 1.0);
    }
    if (type.pointers > 1 || !type.value.known() || type.value.element == "void") return 1;
    return element_bytes(type.value.element) * (type.value.width == 3 ? 4 : type.value.width);
}

SymbolicExecutor::Place SymbolicExecutor::place(const Tree& tree, int index) {
    const Node& node = at(tree, index);
    switch (node.kind) {
        case Node::Kind::name: return {text_at(node.first), {}};
        case Node::Kind::group:
        case Node::Kind::cast: return place(tree, node.parts[0]);
        case Node::Kind::index: {
            if (at(tree, node.parts[0]).kind == Node::Kind::member) {  // an array in a struct
                evaluate(tree, node.parts[1]);
                return place(tree, node.parts[0]);
            }
            Value base = evaluate(tree, node.parts[0]);
            const Value by = evaluate(tree, node.parts[1]);
            if (base.memory < 0) return {{}, {unknown()}};
            return {{}, indexed(base, by.number)};
        }
        case Node::Kind::prefix:
            if (text_at(node.operator_token) == "*") return {{}, evaluate(tree, node.parts[0])};
            break;
        case Node::Kind::member: {
            Place inner = text_at(node.operator_token - 1) == "->"
                              ? Place{{}, evaluate(tree, node.parts[0])}
                              : place(tree, node.parts[0]);
            // A component of a component is none of the vector.
            if (!inner.member) inner.component = component(text_at(node.operator_token));
            inner.member = true;
            return inner;
        }
        default: break;
    }
    evaluate(tree, index);
    return {{}, {unknown()}};
}

Value SymbolicExecutor::indexed(Value pointer, const Poly& index) {
    const auto& extents = memories_.at(static_cast<std::size_t>(pointer.memory)).extents;
    if (pointer.depth < extents.size()) {
        note_local(memories_[static_cast<std::size_t>(pointer.memory)], pointer.depth, index);
        ++pointer.depth;
        return pointer;
    }
    pointer.number += index * Poly(pointer.unit);
    return pointer;
}

Value SymbolicExecutor::load(const Place& what) {
    if (!what.variable.empty()) {
        const Value* known = variable(what.variable);
        if (!known) return {unknown()};
        return what.member ? Value{unknown_from(*known)} : *known;
    }
    if (what.pointer.memory < 0) return {unknown({.ids = anybody})};
    const Memory& memory = memories_.at(static_cast<std::size_t>(what.pointer.memory));
    if (what.pointer.depth < memory.extents.size()) return what.pointer;  // a row of an array
    access(what.pointer, what.pointer.unit, true, false, false, what.member);
    if (!memory.is_parameter || !memory.single || what.member) {
        Dependence on = dependence(what.pointer.number);
        on |= memory.holds;
        return {unknown(on, std::max(memory.arrival, arrival_of({what.pointer.number})))};
    }
    for (std::size_t i = 0; i < read_.symbols.size(); ++i) {
        const Symbol& one = read_.symbols[i];
        if (one.kind == Kind::loaded && one.number == what.pointer.memory &&
            one.whole == what.pointer.number) {
            return {Poly::of(static_cast<int>(i))};
        }
    }
    return {Poly::of(
        make({.kind = Kind::loaded, .number = what.pointer.memory, .whole = what.pointer.number}))};
}

/// Gives a vector that was loaded its components: each of them is the loaded value.
Value SymbolicExecutor::in_parts(Value value, const Type& type) const {
    const auto all = value.number.symbols();
    const bool loaded = all.size() == 1 && is_kind(*all.begin(), Kind::loaded) &&
                        value.number == Poly::of(*all.begin());
    if (loaded && type.is_vector() && value.parts.empty()) {
        value.parts.assign(type.value.width, Value{value.number});
    }
    return value;
}

void SymbolicExecutor::store(const Place& what, const Value& value) {
    if (what.variable.empty()) {
        if (what.pointer.memory >= 0) {
            note_order(what.pointer, value, what.pointer.unit);
            access(what.pointer, what.pointer.unit, false, true, false, what.member);
        }
        return;
    }
    if (Value* known = variable(what.variable)) {
        Dependence on = dependence_of(value);
        if (shared_.contains(what.variable) && (on.ids & of_group) != 0) {
            on.ids &= ~of_group;  // all have that of one
            *known = {unknown(on, arrival_of(value))};
            return;
        }
        if (what.member && what.component && *what.component < known->parts.size()) {
            known->parts[*what.component] = value;
        } else if (what.member) {
            on |= dependence_of(*known);
            *known = {unknown(on, std::max(arrival_of(*known), arrival_of(value)))};
        } else if (known->memory < 0 || value.memory >= 0) {
            *known = value;
        }
    }
}

/// Notes the range of loaded indices, and indices that cannot be analysed.
void SymbolicExecutor::note_index(const Poly& index, bool stores) {
    note_leads(index);
    for (const int one : index.symbols()) {
        const Symbol& what = symbol(one);
        if (what.kind == Kind::quotient) parted_.merge(what.by.symbols());
        read_.is_open =
            read_.is_open || (what.kind == Kind::other && !what.upper && !rising_.contains(one));
    }
    if (!stores) work_.merge(index.symbols());
}

/// Notes a write-write race: several work-items write different values to one element, because its
/// index is the same for all and no condition selects a single work-item.
void SymbolicExecutor::note_race(const Value& pointer, const Value& value, bool is_sum) {
    const auto which = static_cast<std::size_t>(pointer.memory);
    const auto by_item = [&](const Poly& poly) {
        return std::ranges::any_of(poly.symbols(), [&](int one) {
            const Kind kind = symbol(one).kind;
            return kind == Kind::global_id || kind == Kind::local_id || kind == Kind::group_id;
        });
    };
    const auto differs = [&](int one) {
        return by_item(Poly::of(one)) || (is_kind(one, Kind::loaded) && by_item(symbol(one).whole));
    };
    const Poly index = whole(pointer.number);
    const bool is_one = memories_.at(which).is_parameter && memories_[which].single &&
                        !varies(index) && loaded_in(index) < 0;
    const bool is_alone = std::ranges::any_of(guards_, [&](const Guard& guard) {
        const double bound = guard.bound.number().value_or(1);
        return by_item(Poly::of(guard.symbol)) && (guard.upper ? bound <= 0 : bound > 0);
    });
    const auto all = whole(value.number).symbols();
    if (is_one && !is_alone && (is_sum || std::ranges::any_of(all, differs))) {
        (is_sum ? read_.updated : read_.raced).insert(which);
    }
}

void SymbolicExecutor::note_local(const Memory& memory, std::size_t depth, const Poly& index) {
    const double extent = depth < memory.extents.size() ? memory.extents[depth] : 0;
    if (extent < 1) return;
    const Poly at = whole(index);
    if (const int data = loaded_in(at); data >= 0 && at == Poly::of(data)) {
        read_.within[static_cast<std::size_t>(symbol(data).number)] = extent;
    }
    fit_group(extent, at);
}

/// Limits the work-group size to the length of an array in local memory.
void SymbolicExecutor::fit_group(double extent, const Poly& at) {
    const int only = at.symbols().size() == 1 ? *at.symbols().begin() : -1;
    if (only >= 0 && is_kind(only, Kind::quotient) && at == Poly::of(only)) {
        // An index divided by N is shared by N work-items. An array for larger work-groups than
        // usual fits any.
        constexpr double usual = 256;
        const Poly whole = symbol(only).whole;
        const double places = extent * symbol(only).by.number().value_or(usual);
        if (places < usual) fit_group(places, whole);
        return;
    }
    std::vector<std::pair<double, int>> ids;
    std::vector<double> taken;  // places that a loop's rounds and a border take up
    for (const auto& [product, number] : at.terms()) {
        if (product.empty()) {
            taken.push_back(number);
        } else if (product.size() == 1 && product[0].second == 1 &&
                   is_kind(product[0].first, Kind::local_id)) {
            // A condition keeps the index below a number, so it fits for any work-group size.
            const bool guarded = std::ranges::any_of(guards_, [&](const Guard& guard) {
                return guard.symbol == product[0].first && guard.upper && guard.bound.number();
            });
            if (guarded) return;
            ids.emplace_back(number, symbol(product[0].first).number);
        } else {
            const bool rounds = product.size() == 1 && product[0].second == 1 &&
                                is_kind(product[0].first, Kind::round);
            const auto last = rounds ? most(Poly::of(product[0].first)) : std::nullopt;
            const auto count = last ? last->number() : std::nullopt;
            if (!count) return;
            taken.push_back(number * *count);
        }
    }
    std::ranges::sort(ids, std::greater{});
    // Row by row, the longest rows first: of what rounds and border take, whole rows are
    // subtracted here, and the rest from the shorter rows.
    double places = extent;
    for (const auto& [width, dimension] : ids) {
        double room = places;
        for (double& one : taken) {
            const double whole_rows = width > 0 ? std::floor(one / width) * width : 0;
            room -= std::max(whole_rows, 0.0);
            one -= whole_rows;
        }
        unsigned& fitting = read_.fitting.at(static_cast<std::size_t>(dimension));
        double size = std::floor(room / width);
        // Of 33 or 65 elements one is padding, or holds a total: the work-group has 32 or 64
        // work-items.
        if (size > 16 && std::fmod(std::log2(size - 1), 1) == 0) --size;
        if (size >= 1 && (fitting == 0 || size < fitting)) fitting = static_cast<unsigned>(size);
        places = width;
    }
}

void SymbolicExecutor::access(const Value& pointer, double elements, bool loads, bool stores,
                              bool atomic, bool is_member, bool is_asked) {
    const Memory& memory = memories_.at(static_cast<std::size_t>(pointer.memory));
    note_index(pointer.number, stores);
    if (!memory.is_parameter) {
        return;
    }
    read_.cast_to[static_cast<std::size_t>(pointer.memory)].insert(name_of(pointer.to));
    BodyAccess made{.parameter = static_cast<std::size_t>(pointer.memory),
                    .most = most(kept(pointer.number)),
                    .loads = loads,
                    .stores = stores,
                    .atomic = atomic,
                    .is_asked = is_asked};
    // Behind a comparison with loaded data, an index reaches as far as it did when it was first
    // seen.
    const auto seen = reached_.try_emplace(pointer.number.terms(), made.most).first;
    if (std::ranges::any_of(limits_, &PredicateMask::all)) made.most = seen->second;
    if (made.most && elements > 1) *made.most += Poly(elements - 1);
    // A number that multiplies what varies is the length of a row, and so bounds an index.
    const Poly index = whole(pointer.number);
    for (const auto& [product, number] : index.terms()) {
        if (std::ranges::none_of(product, [&](const auto& one) {
                return varies(one.first) || is_kind(one.first, Kind::loaded);
            })) {
            continue;
        }
        for (const auto& [one, power] : product) {
            if (!varies(one)) read_.bounding.insert(one);
        }
    }
    // The stride between the elements of neighbouring work-items.
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
    for (const int one : index.symbols()) {
        const auto known = is_kind(one, Kind::loaded)
                               ? read_.kept.find(static_cast<std::size_t>(symbol(one).number))
                               : read_.kept.end();
        if (known != read_.kept.end() && stores && !atomic) known->second.scatters = true;
        const bool is_item = is_kind(one, Kind::local_id) || is_kind(one, Kind::global_id);
        if (is_item) made.items.insert(symbol(one).number);
    }
    made.partial = made.partial || arrival(index) != Arrival::none;
    const auto first = index.terms().find({});
    const bool rises = index.negative().terms().empty();
    if (rises && first != index.terms().end()) made.least = first->second;
    made.partial = made.partial || (is_member && !memory.single);
    const std::set<int> symbols = index.symbols();
    for (const PredicateMask& limit : limits_) {
        made.partial = made.partial || limit.all;
        for (const int one : limit.symbols) {
            made.partial = made.partial || symbols.contains(one);
            // A global id is its parts, too.
            for (const int other : symbols) {
                made.partial = made.partial ||
                               (is_kind(other, Kind::global_id) && is_kind(one, Kind::local_id) &&
                                symbol(other).number == symbol(one).number);
            }
        }
    }
    std::set<int> alone;
    for (const Guard& guard : guards_) {
        const bool is_first = guard.upper && guard.bound.number().value_or(1) <= 0;
        if (is_first && is_kind(guard.symbol, Kind::global_id)) {
            alone.insert(symbol(guard.symbol).number);
        }
    }
    if (read_.alone) {
        std::erase_if(*read_.alone, [&](int d) { return !alone.contains(d); });
    } else {
        read_.alone = alone;
    }
    read_.accesses.push_back(std::move(made));
}

}  // namespace parallax::body
