// Atomic functions, and what depends on the order in which work-items reach them.
#include <algorithm>

#include "mapping/analyze/word_lists.hpp"
#include "mapping/body/symbolic_executor.hpp"

namespace parallax::body {

/// What an index of these numbers tells of the order.
Arrival SymbolicExecutor::arrival(const Poly& poly) const {
    Arrival found = Arrival::none;
    for (const int one : poly.symbols()) {
        const Symbol& what = symbol(one);
        found = std::max({found, what.arrival, arrival_of({what.whole})});
        if (what.kind == Kind::loaded) {
            const Memory& memory = memories_.at(static_cast<std::size_t>(what.number));
            found = std::max(found, memory.arrival);
        }
    }
    return found;
}

/// Whether each work-item has its own, whatever the order is.
bool SymbolicExecutor::is_by_item(int one) const {
    return (varies(one) || is_kind(one, Kind::loaded)) && arrival(Poly::of(one)) == Arrival::none;
}

/// The same of a value: a place with something of the work-item's own is another number in another
/// order.
Arrival SymbolicExecutor::arrival_of(const Value& value) const {
    Arrival found = arrival(value.number);
    const auto all = value.number.symbols();
    if (found == Arrival::place &&
        std::ranges::any_of(all, [&](int one) { return is_by_item(one); }))
        found = Arrival::uneven;
    for (const Value& part : value.parts) found = std::max(found, arrival_of(part));
    return found;
}

/// Gives what an expression makes of its operands what they tell of the order.
void SymbolicExecutor::pass_on(const Node& node, const Value& made, std::size_t first_symbol) {
    const std::string_view operation = text_at(node.operator_token);
    const bool leads = node.kind == Node::Kind::index ||
                       (node.kind == Node::Kind::prefix && (operation == "*" || operation == "&"));
    const bool derives = !leads && node.kind != Node::Kind::name &&
                         node.kind != Node::Kind::assign && node.kind != Node::Kind::member &&
                         !(node.kind == Node::Kind::binary && operation == ",");
    Arrival all = operands_.arrival;
    if (all == Arrival::place && operands_.by_item) all = Arrival::uneven;
    if (derives && all > arrival_of(made)) {
        std::set<int> symbols = made.number.symbols();
        for (const Value& part : made.parts) symbols.merge(part.number.symbols());
        for (const int one : symbols) {
            const auto which = static_cast<std::size_t>(one);
            if (which >= first_symbol && is_kind(one, Kind::other))
                read_.symbols[which].arrival = all;
        }
    }
    const bool is_derived = derives && node.kind != Node::Kind::call;
    const auto all_symbols = made.number.symbols();
    operands_ = {arrival_of(made), is_derived ? operands_.by_item
                                              : node.kind != Node::Kind::number &&
                                                    std::ranges::any_of(all_symbols, [&](int one) {
                                                        return is_by_item(one);
                                                    })};
}

/// How many work-items reach this place at most, of a work-group or of the launch; nothing: it is
/// not known.
std::optional<Poly> SymbolicExecutor::takers(bool in_group) {
    if (has_open_rounds_) return {};
    Poly items = rounds_;
    for (int d = 0; d < read_.dimensions; ++d) {
        const bool is_first = std::ranges::any_of(guards_, [&](const Guard& guard) {
            return guard.symbol == known(Kind::local_id, d) && guard.upper &&
                   guard.bound.number().value_or(1) <= 0;
        });
        const unsigned required = read_.required.at(static_cast<std::size_t>(d));
        if (in_group && is_first) continue;
        if (in_group && required != 0) {
            items = items * Poly(required);
            continue;
        }
        const Kind kind = in_group ? Kind::local_id : is_first ? Kind::group_id : Kind::global_id;
        const auto last = most(Poly::of(known(kind, d)));
        if (!last) return {};
        items = launched(items * (*last + Poly(1)));
    }
    return items;
}

/// What an atomic function does to memory; and what it gives, where that is asked for. A counter
/// gives each work-item a number of its own: there is one number for each work-item.
Value SymbolicExecutor::atomic_call(std::string_view name, const std::vector<Value>& arguments,
                                    bool is_asked) {
    if (name.ends_with("_explicit")) name.remove_suffix(9);
    const auto is = [&](std::string_view what) { return name.ends_with(what); };
    const bool exchanges = is("xchg") || is("_exchange");
    const Value counter = arguments.empty() ? Value{} : arguments[0];
    if (counter.memory >= 0) {
        if (exchanges) note_exchanged(is("cmpxchg"), arguments);
        access(counter, counter.unit, true, true, true, false, is_asked || exchanges);
    }
    const bool falls = is("_dec") || is("_sub"), counts = falls || is("_inc") || is("_add");
    const bool loads = is("_load") || is("_store") || is("_init");
    const Poly each = is("_inc") || is("_dec") ? Poly(1)
                      : arguments.size() >= 2  ? arguments[1].number
                                               : unknown();
    if (loads || (counts && each == Poly(0))) return {unknown()};
    if (!counts) return {unknown(Arrival::linked)};
    const bool is_variable = counter.memory < 0;  // of a work-group
    const bool in_group =
        is_variable || !memories_.at(static_cast<std::size_t>(counter.memory)).is_parameter;
    const bool is_one = is_variable || (!varies(counter.number) && loaded_in(counter.number) < 0);
    const auto symbols = each.symbols();
    const bool is_even = std::ranges::none_of(symbols, [&](int one) { return is_by_item(one); });
    const auto size = most(each);
    const auto items = is_one && size ? takers(in_group) : std::nullopt;
    Symbol made{.arrival = is_even ? Arrival::place : Arrival::uneven};
    const bool is_number = each.number().value_or(0) > 0;
    if (items && !falls)
        made.upper = is_number ? *items - Poly(1) : launched(*items * *size) - *size;
    const int taken = make(std::move(made));
    if (falls) falling_.insert(taken);
    return {Poly::of(taken) * (is_number && !falls ? each : Poly(1))};
}

/// What an exchange leaves: the value of the last work-item; by comparison, that of the first.
void SymbolicExecutor::note_exchanged(bool compares, const std::vector<Value>& arguments) {
    const std::size_t which = static_cast<std::size_t>(arguments[0].memory),
                      last = compares ? 2 : 1;
    Memory& memory = memories_.at(which);
    if (arguments.size() <= last) return;
    const auto free = compares ? arguments[1].number.number() : std::nullopt;
    if (compares && !free) return;  // a loop that adds or compares in another way
    const Value& value = arguments[last];
    const auto all = value.number.symbols();
    const bool is_same = arrival_of(value) == Arrival::none &&
                         std::ranges::none_of(all, [&](int one) { return is_by_item(one); });
    if (is_same) return;
    memory.arrival = Arrival::linked;
    if (!memory.is_parameter) return;
    read_.raced.insert(which);
    read_.exchanged.insert(which);
    if (free) read_.vacant[which] = *free;
}

/// Notes what is written where a counter says.
void SymbolicExecutor::note_place(const Poly& index, std::size_t memory, double elements) {
    const Arrival found = arrival(index);
    if (found == Arrival::none) {
        settled_.insert(memory);
        return;
    }
    placed_.insert(memory);
    Memory& to = memories_.at(memory);
    to.arrival = std::max(to.arrival, found == Arrival::linked ? Arrival::uneven : Arrival::place);
    if (!to.is_parameter) return;
    if (found == Arrival::linked) read_.unsettled.insert(memory);
    double together = 0;
    std::size_t counters = 0;
    const auto all = index.symbols();
    for (const int one : all) {
        if (arrival(Poly::of(one)) == Arrival::none) continue;
        ++counters;
        const auto each = index.factor_of(one);
        together = std::max({elements, each ? std::abs(each->number().value_or(1)) : 1});
        const Symbol& what = symbol(one);
        // Several numbers lead to one place, unless the other part of the number does, too.
        const bool is_part = what.kind == Kind::quotient || what.kind == Kind::remainder;
        const bool has_other = std::ranges::any_of(all, [&](int other) {
            return other != one && symbol(other).whole == what.whole && symbol(other).by == what.by;
        });
        if (folded_.contains(one) || (is_part && !has_other)) read_.raced.insert(memory);
    }
    double& row = read_.unordered[memory];
    row = std::max(row, counters == 1 ? together : elements);
    note_dropped(index, memory);
}

/// Notes what a condition leaves out of what a counter gives.
void SymbolicExecutor::note_dropped(const Poly& index, std::size_t memory) {
    for (const int one : index.symbols()) {
        const Symbol what = symbol(one);
        if (!what.whole.terms().empty()) note_dropped(what.whole, memory);
        if (what.arrival == Arrival::none) continue;
        const bool is_left_out = std::ranges::any_of(guards_, [&](const Guard& guard) {
            if (guard.symbol != one) return false;
            if (!guard.upper) return falling_.contains(one);
            return !what.upper || !(guard.bound - *what.upper).negative().terms().empty();
        });
        if (is_left_out) dropped_.insert({memory, one});
    }
}

/// Notes values that depend on the order.
void SymbolicExecutor::note_content(const Value& pointer, const Value& value) {
    const Arrival found = arrival_of(value);
    const auto which = static_cast<std::size_t>(pointer.memory);
    memories_.at(which).arrival = std::max(memories_[which].arrival, found);
    if (found == Arrival::none || !memories_[which].is_parameter) return;
    const auto all = pointer.number.symbols();
    const auto counter =
        std::ranges::find_if(all, [&](int one) { return symbol(one).arrival != Arrival::none; });
    if (found == Arrival::place) {
        read_.unordered.try_emplace(which, 1);
    } else if (found == Arrival::uneven && counter != all.end()) {
        dropped_.insert({which, *counter});  // unless it follows from the place alone
    } else {
        read_.raced.insert(which);
    }
}

}  // namespace parallax::body
