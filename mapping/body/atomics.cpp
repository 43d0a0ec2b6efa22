// Atomic functions, and what depends on the order in which work-items reach them.
#include <algorithm>
#include <functional>

#include "mapping/analyze/word_lists.hpp"
#include "mapping/body/symbolic_executor.hpp"

namespace parallax::body {
namespace {

bool has_whole(Symbol::Kind kind) {
    return kind == Symbol::Kind::loaded || kind == Symbol::Kind::quotient ||
           kind == Symbol::Kind::remainder;
}

}  // namespace

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

Dependence SymbolicExecutor::dependence(const Poly& poly) const {
    Dependence found;
    for (const int one : poly.symbols()) {
        const Symbol& what = symbol(one);
        found |= what.on;
        if (what.kind == Kind::local_id) found.ids |= of_group;
        if (what.kind == Kind::group_id) found.ids |= of_grid;
        if (what.kind == Kind::global_id) found.ids |= anybody;
        if (what.kind == Kind::loaded)
            found |= memories_.at(static_cast<std::size_t>(what.number)).holds;
        if (has_whole(what.kind)) found |= dependence(what.whole);
        if (taking_.contains(one)) found.ids |= anybody;
    }
    return found;
}

Dependence SymbolicExecutor::dependence_of(const Value& value) const {
    Dependence found = dependence(value.number);
    for (const Value& part : value.parts) found |= dependence_of(part);
    return found;
}

std::set<int> SymbolicExecutor::numbers_of(const Value& value) {
    std::set<int> found = value.number.symbols();
    for (const Value& part : value.parts) found.merge(numbers_of(part));
    return found;
}

/// Adds what a condition depends on to a value that it selects.
void SymbolicExecutor::add_to(const Value& value, const Dependence& on) {
    const auto all = value.number.symbols();
    for (const int one : all) {
        if (!is_kind(one, Kind::other) || counters_.contains(one)) continue;
        Symbol& what = read_.symbols[static_cast<std::size_t>(one)];
        what.on |= on;
        if (on.order != nobody) what.arrival = std::max(what.arrival, Arrival::place);
        if (on.is_linked) what.arrival = Arrival::linked;
    }
}

void SymbolicExecutor::note_condition(const std::vector<Value>& compared, bool is_less) {
    Condition made{.is_less = is_less};
    for (const Value& one : compared) {
        made.symbols.merge(numbers_of(one));
        made.on |= dependence_of(one);
    }
    asked_ |= made.on;
    made.is_before = before_.contains(made.symbols);
    conditions_.push_back(std::move(made));
}

/// The work-item's ids that numbers depend on, but for what follows from those that are given.
unsigned SymbolicExecutor::ids_beside(const std::set<int>& symbols,
                                      const std::set<int>& given) const {
    const auto ids_of = [&](const Dependence& on) { return on.ids | on.chosen; };
    const std::function<bool(int)> follows = [&](int one) {
        if (given.contains(one) || ids_of(dependence(Poly::of(one))) == nobody) return true;
        const Symbol& what = symbol(one);
        const auto whole = what.whole.symbols();
        const bool is_stored =
            what.kind == Kind::loaded &&
            ids_of(memories_.at(static_cast<std::size_t>(what.number)).holds) != nobody;
        return has_whole(what.kind) && !is_stored && !whole.empty() &&
               std::ranges::all_of(whole, follows);
    };
    unsigned ids = nobody;
    for (const int one : symbols)
        if (!follows(one)) ids |= ids_of(dependence(Poly::of(one)));
    return ids;
}

/// What leads to the counters and exchanges that gave these numbers.
std::set<int> SymbolicExecutor::counted_at(const std::set<int>& symbols) const {
    std::set<int> found;
    for (const int one : symbols) {
        const auto counter = counters_.find(one);
        if (counter != counters_.end()) found.merge(counter->second.symbols());
    }
    return found;
}

/// Gives what an expression makes of its operands what they tell of the order.
void SymbolicExecutor::pass_on(const Node& node, const Value& made, std::size_t first_symbol) {
    const std::string_view operation = text_at(node.operator_token);
    const bool leads = node.kind == Node::Kind::index ||
                       (node.kind == Node::Kind::prefix && (operation == "*" || operation == "&"));
    const bool derives = !leads && node.kind != Node::Kind::name &&
                         node.kind != Node::Kind::assign && node.kind != Node::Kind::member &&
                         node.kind != Node::Kind::choice &&
                         !(node.kind == Node::Kind::binary && operation == ",");
    Arrival all = operands_.arrival;
    if (all == Arrival::place && operands_.by_item) all = Arrival::uneven;
    if (derives) {
        const bool is_later = all > arrival_of(made);
        Dependence on = operands_.on;
        on.ids |= std::exchange(on.chosen, nobody);
        for (const int one : numbers_of(made)) {
            const auto which = static_cast<std::size_t>(one);
            if (which < first_symbol || !is_kind(one, Kind::other)) continue;
            if (is_later) read_.symbols[which].arrival = all;
            if (!counters_.contains(one)) read_.symbols[which].on |= on;
        }
    }
    const bool is_derived = derives && node.kind != Node::Kind::call;
    const auto all_symbols = made.number.symbols();
    operands_ = {
        arrival_of(made),
        is_derived ? operands_.by_item
                   : node.kind != Node::Kind::number &&
                         std::ranges::any_of(all_symbols, [&](int one) { return is_by_item(one); }),
        dependence_of(made)};
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

/// Whose order gives a counter's numbers.
unsigned SymbolicExecutor::order_of(const Value& counter) {
    const bool is_parameter =
        counter.memory >= 0 && memories_.at(static_cast<std::size_t>(counter.memory)).is_parameter;
    unsigned whose = is_parameter ? anybody : of_group;
    const auto is_single = [&](int one) {
        return std::ranges::any_of(guards_, [&](const Guard& guard) {
            if (guard.symbol != one || !guard.upper) return false;
            return guard.bound.number().value_or(1) <= 0 ||
                   std::ranges::any_of(guards_, [&](const Guard& other) {
                       return other.symbol == one && !other.upper && other.bound == guard.bound;
                   });
        });
    };
    bool is_leader = true, is_alone = true;
    for (int d = 0; d < read_.dimensions; ++d) {
        const bool is_first = is_single(known(Kind::global_id, d));
        is_leader = is_leader && (is_first || is_single(known(Kind::local_id, d)) ||
                                  read_.required.at(static_cast<std::size_t>(d)) == 1);
        is_alone = is_alone && is_first;
    }
    if (is_leader) whose &= ~of_group;
    if (is_alone) whose = nobody;
    for (const int one : counter.number.symbols()) {  // one for each of them
        if (is_kind(one, Kind::group_id)) whose &= ~of_grid;
        if (is_kind(one, Kind::global_id)) whose = nobody;
    }
    return whose;
}

/// Notes what decides how many numbers a counter gives, and that each round gets its own.
void SymbolicExecutor::note_taken() {
    for (Condition& one : conditions_) {
        one.is_before = true;
        before_.insert(one.symbols);
    }
    taking_.insert(turning_.begin(), turning_.end());
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
        const auto which = static_cast<std::size_t>(counter.memory);
        const bool is_stored = is("xchg") && !is("cmpxchg") && !is_asked && arguments.size() > 1 &&
                               ids_beside(numbers_of(arguments[1]), {}) == nobody;
        if (is_stored) {
            note_order(counter, arguments[1], counter.unit);
        } else if (exchanges) {
            note_exchanged(is("cmpxchg"), arguments);
            note_place(counter.number, which, counter.unit);
        } else {
            const bool has_other = arguments.size() > 1;
            note_order(counter, has_other ? arguments[1] : Value{}, counter.unit, true);
        }
        access(counter, counter.unit, true, true, true, false, is_asked || exchanges);
    }
    const unsigned whose = is_asked ? order_of(counter) : nobody;
    if ((whose & of_grid) != 0) read_.asked_grid.insert(0);
    if (whose != nobody) note_taken();
    const bool falls = is("_dec") || is("_sub"), counts = falls || is("_inc") || is("_add");
    const bool loads = is("_load") || is("_store") || is("_init");
    const Poly each = is("_inc") || is("_dec") ? Poly(1)
                      : arguments.size() >= 2  ? arguments[1].number
                                               : unknown();
    if (loads || (counts && each == Poly(0))) {
        Dependence on = dependence(counter.number);
        if (counter.memory >= 0) on |= memories_.at(static_cast<std::size_t>(counter.memory)).holds;
        return {unknown(on)};
    }
    if (!counts) {
        const Poly made = unknown({.order = whose, .is_linked = true}, Arrival::linked);
        counters_[*made.symbols().begin()] = counter.number;
        return {made};
    }
    const bool is_variable = counter.memory < 0;  // of a work-group
    const bool in_group =
        is_variable || !memories_.at(static_cast<std::size_t>(counter.memory)).is_parameter;
    const bool is_one = is_variable || (!varies(counter.number) && loaded_in(counter.number) < 0);
    const auto symbols = each.symbols();
    const bool is_even = std::ranges::none_of(symbols, [&](int one) { return is_by_item(one); });
    const auto size = most(each);
    const auto items = is_one && size ? takers(in_group) : std::nullopt;
    Symbol made{.arrival = is_even ? Arrival::place : Arrival::uneven,
                .on = {.order = whose, .is_uneven = !is_even}};
    const bool is_number = each.number().value_or(0) > 0;
    if (items && !falls)
        made.upper = is_number ? *items - Poly(1) : launched(*items * *size) - *size;
    const int taken = make(std::move(made));
    counters_[taken] = counter.number;
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
    memory.holds |= {.order = memory.is_parameter ? anybody : of_group, .is_linked = true};
    if (!memory.is_parameter) return;
    read_.raced.insert(which);
    read_.exchanged.insert(which);
    if (free) read_.vacant[which] = *free;
}

/// Whether the value is the element with something added, or the lesser or greater of it and
/// something: that is the same in every order.
bool SymbolicExecutor::is_updated(const Value& pointer, const Value& value) const {
    const auto which = static_cast<std::size_t>(pointer.memory);
    const auto is_own = [&](int one) {
        const Symbol& what = symbol(one);
        return sums_.contains({which, one}) ||
               (what.kind == Kind::loaded && what.number == pointer.memory &&
                what.whole == pointer.number);
    };
    const auto all = value.number.symbols();
    const auto own = std::ranges::find_if(all, is_own);
    if (own != all.end()) return value.number.factor_of(*own) == Poly(1);
    return sources(value.number).contains(which) ||
           std::ranges::any_of(conditions_, [&](const Condition& one) {
               return one.is_less && !all.empty() && std::ranges::any_of(one.symbols, is_own) &&
                      std::ranges::includes(one.symbols, all);
           });
}

/// The conditions around a store.
SymbolicExecutor::Held SymbolicExecutor::held() const {
    Held made;
    for (const Condition& one : conditions_) {
        made.on |= one.on;
        made.symbols.insert(one.symbols.begin(), one.symbols.end());
        if (!one.is_before) made.open.insert(one.symbols.begin(), one.symbols.end());
        if (one.on.order != nobody) ++made.chances;
    }
    return made;
}

/// Notes whether what is stored, and where, is the same in every order of the work-items.
void SymbolicExecutor::note_order(const Value& pointer, const Value& value, double elements,
                                  bool is_atomic) {
    const auto which = static_cast<std::size_t>(pointer.memory);
    Memory& memory = memories_.at(which);
    const auto index = pointer.number.symbols();
    std::set<int> both = numbers_of(value);
    both.insert(index.begin(), index.end());
    const Dependence at = dependence(pointer.number), what = dependence_of(value);
    Held held = this->held();
    const std::set<int> given = counted_at(held.symbols);
    // Any work-item that a condition selects writes the same.
    if ((held.on.order & ids_beside(both, given)) == 0) held.on = {};
    Dependence all = held.on;
    all |= at;
    all |= what;
    const bool is_place = (at.order | at.ids | at.chosen) == nobody && !is_atomic;
    std::set<int> every = both;
    every.insert(held.open.begin(), held.open.end());
    const bool is_settled = (all.order & ids_beside(every, counted_at(both))) == 0 &&
                            !all.is_uneven && !all.is_linked &&
                            (what.order == nobody || !is_place) && !is_folded(pointer.number);
    const bool is_sum = !is_atomic && is_updated(pointer, value);
    if (!is_atomic) note_race(pointer, value, is_sum);
    if (!memory.is_parameter) {
        if (held.chances > memory.chances) memory.holds = {}, memory.arrival = Arrival::none;
        memory.chances = held.chances;
        if (is_settled) all = what, all.ids &= of_grid, all.chosen &= of_grid;
        memory.holds |= all;
        note_place(pointer.number, which, elements);
        return note_content(pointer, value);
    }
    if (const int from = loaded_in(pointer.number); from >= 0)
        led_.insert({which, static_cast<std::size_t>(symbol(from).number)});
    if (is_settled || is_sum) {
        if (at.order == nobody) settled_.insert(which);
        return;
    }
    memory.holds |= all;
    memory.arrival = std::max(memory.arrival, Arrival::place);
    held.open.insert(index.begin(), index.end());
    const unsigned others = ids_beside(held.open, counted_at(index));
    const bool is_root =
        std::ranges::any_of(both, [&](int one) { return counters_.contains(one); });
    const bool is_led = (at.ids | at.chosen) == nobody && loaded_in(pointer.number) >= 0;
    const bool is_one = at.order == nobody && (held.on.order != nobody || is_place);
    const bool is_unknown =
        (held.on.order & ids_beside(index, given)) != 0 ||
        (!at.is_uneven && (at.order & others) != 0) || (is_one && (is_atomic || is_led)) ||
        (at.order == nobody && !is_root && !what.is_linked && (what.order & what.ids) != 0);
    if (is_unknown) {
        read_.unsettled.insert(which);
    } else if (is_one) {
        read_.raced.insert(which);
    } else {
        note_place(pointer.number, which, elements);
        note_content(pointer, value);
    }
}

/// Whether a number that leads there is made of several that a counter gave, and the other part of
/// the number does not lead there, too.
bool SymbolicExecutor::is_folded(const Poly& index) const {
    const auto all = index.symbols();
    return std::ranges::any_of(all, [&](int one) {
        if (arrival(Poly::of(one)) == Arrival::none) return false;
        const Symbol& what = symbol(one);
        const bool is_part = what.kind == Kind::quotient || what.kind == Kind::remainder;
        const bool has_other = std::ranges::any_of(all, [&](int other) {
            return other != one && symbol(other).whole == what.whole && symbol(other).by == what.by;
        });
        return folded_.contains(one) || (is_part && !has_other);
    });
}

/// Gives variables that a loop changes what its conditions depend on: by chance it goes round more
/// or less often.
void SymbolicExecutor::end_rounds(int round, const Changes& changes) {
    if (asked_.order == nobody || counters_.lower_bound(round) == counters_.end()) return;
    for (const auto& [name, change] : changes) {
        Value* known = variable(name);
        if (!known || known->memory >= 0 || shared_.contains(name)) continue;
        Dependence on = dependence_of(*known);
        on |= asked_;
        on.ids = anybody;
        *known = {unknown(on, asked_.is_linked ? Arrival::linked : Arrival::uneven)};
    }
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
    }
    if (is_folded(index)) read_.raced.insert(memory);
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
