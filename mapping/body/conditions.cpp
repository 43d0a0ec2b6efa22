// The conditions at a place of a body, and what they imply for data and launch.
#include <algorithm>
#include <cmath>

#include "mapping/body/symbolic_executor.hpp"

namespace parallax::body {

void SymbolicExecutor::note_extent(const Poly& difference) {
    // A counter's number takes the place of an id.
    for (const int one : difference.symbols()) {
        const unsigned whose = counters_.contains(one) ? symbol(one).on.order : nobody;
        if ((whose & of_grid) == 0 || asks_ids_) continue;
        const Kind id = whose == anybody ? Kind::global_id : Kind::group_id;
        return note_extent(whole(difference.with(one, Poly::of(known(id, 0)))));
    }
    // `x / 32 < n` means `x < 32 * n`.
    for (const int one : difference.symbols()) {
        const Symbol part = symbol(one);
        if (part.kind != Kind::quotient || difference.factor_of(one) != Poly(-1)) continue;
        const Poly rest = difference + Poly::of(one);
        return note_extent((rest + Poly(1)) * part.by - Poly(1) - part.whole);
    }
    // `y * width + x < n` bounds all work-items of two dimensions by one number: a single row of
    // them covers it.
    const Poly x = Poly::of(known(Kind::global_id, 0)), y = Poly::of(known(Kind::global_id, 1));
    const Poly both = difference + x + y * Poly::of(known(Kind::global_size, 0)) + Poly(1);
    if (!varies(both) && difference.has(known(Kind::global_id, 1))) {
        read_.extents.push_back({0, both, true, false});
        read_.extents.push_back({1, Poly(1), true, false});
        return;
    }
    for (int d = 0; d < 3; ++d) {
        const int item = known(Kind::local_id, d), group = known(Kind::group_id, d),
                  all = known(Kind::global_id, d);
        std::set<int> varying;
        for (const int one : difference.symbols()) {
            // Ignores the rounds of a loop that begins at a work-item's id: its first round
            // decides.
            if (varies(one) && !is_kind(one, Kind::round)) varying.insert(one);
        }
        const bool by_item = varying == std::set{all};
        const bool by_group = varying == std::set{group, item} || varying == std::set{group};
        if (!by_item && !by_group) continue;
        const int one = by_item ? all : group;
        const auto factor = difference.factor_of(one);
        if (!factor || varies(*factor)) continue;
        // A tile, the factor here, may be a constant less its two borders: `TILE - 2`.
        const auto tile = factor->terms().find({});
        const bool has_border = by_group && factor->terms().size() == 2 &&
                                tile != factor->terms().end() && tile->second < 0 &&
                                !factor->positive().terms().empty();
        const bool plain = factor->terms().size() == 1 && factor->terms().begin()->second < 0;
        if (!plain && !has_border) continue;
        Poly rest = difference + Poly(1);
        for (const int variable : difference.symbols()) {
            const auto own = varies(variable) ? rest.factor_of(variable) : std::nullopt;
            if (own) rest = rest - *own * Poly::of(variable);
        }
        if (has_border) {
            read_.extents.push_back({d, rest, true, true, false, *factor * Poly(-1)});
            continue;
        }
        // A comparison with 1 selects the first work-item, and does not bound the number of
        // work-items.
        const auto count = rest.over(*factor * Poly(-1));
        if (count && count->number().value_or(2) > 1) {
            read_.extents.push_back({d, *count, true, by_group});
        }
    }
}

/// Something loaded that the polynomial has; -1: nothing.
int SymbolicExecutor::loaded_in(const Poly& poly) const {
    for (const int one : poly.symbols()) {
        if (is_kind(one, Kind::loaded)) return one;
    }
    return -1;
}

/// Notes what a condition keeps loaded data above or below.
void SymbolicExecutor::note_kept(const Poly& difference) {
    const int data = loaded_in(difference);
    const auto factor = data >= 0 ? difference.factor_of(data) : std::nullopt;
    if (!factor || std::abs(factor->number().value_or(0)) != 1) return;
    const bool upper = *factor == Poly(-1);
    const Poly rest = difference - *factor * Poly::of(data);
    if (varies(rest) || loaded_in(rest) >= 0) return;
    guards_.push_back({data, upper ? rest : rest * Poly(-1), upper});
}

Poly SymbolicExecutor::kept(Poly index) {
    for (const int one : index.symbols()) {
        if (!is_kind(one, Kind::loaded)) continue;
        const auto which = static_cast<std::size_t>(symbol(one).number);
        const auto factor = index.factor_of(one);
        if (!factor || factor->positive().terms().empty()) {
            free_.insert(which);  // the lower it is, the further it leads
            continue;
        }
        bool from_zero = false;
        std::optional<Poly> last;
        for (const Guard& guard : guards_) {
            if (guard.symbol != one) continue;
            if (guard.upper) last = guard.bound;
            from_zero = from_zero || (!guard.upper && guard.bound.number().value_or(-1) >= 0);
        }
        const bool is_no_end = std::ranges::any_of(guards_, [&](const Guard& guard) {
            return guard.symbol == one && !guard.upper && guard.bound.number() == -1.0;
        });
        if (from_zero || is_no_end) {
            double& lowest = read_.lowest[which];
            lowest = std::min(lowest, from_zero ? -HUGE_VAL : -1.0);
        } else {
            free_.insert(which);
        }
        if (!last) continue;
        BodyReading::Kept& values = read_.kept[which];
        values.from_zero = from_zero;
        values.end = *last + Poly(1);
        index = index.with(one, *last);
    }
    return index;
}

void SymbolicExecutor::hold_not_negative(const Poly& raw, bool limits, bool equal) {
    const Poly difference = whole(raw);
    note_kept(difference);
    const std::size_t before = read_.extents.size();
    if (!equal) note_extent(difference);
    for (std::size_t i = before; i < read_.extents.size(); ++i) read_.extents[i].in_loop = !limits;
    for (const auto& [product, number] : difference.terms()) {
        if (number < 0) continue;
        const bool fixed =
            std::ranges::none_of(product, [&](const auto& one) { return varies(one.first); });
        if (!fixed) continue;
        for (const auto& [one, power] : product) {
            read_.bounding.insert(one);
            read_.compared.insert(one);
            // Compared with numbers alone, it counts nothing.
            const bool counts = varies(difference) || loaded_in(difference.negative()) >= 0;
            if (is_kind(one, Kind::loaded) && counts) {
                const auto which = static_cast<std::size_t>(symbol(one).number);
                const int begin = loaded_in(difference.negative());
                if (begin < 0) {
                    read_.counts.insert(which);
                } else {
                    const bool is_own = symbol(begin).number == symbol(one).number;
                    (is_own ? read_.offsets : read_.ends).insert(which);
                }
            }
        }
    }
    PredicateMask limit;
    // A quantity with the factor 1 is bounded; one with another factor only where none has 1.
    const auto is_single = [&](int one) {
        const auto factor = difference.factor_of(one);
        return factor && factor->number() && std::abs(*factor->number()) == 1;
    };
    const auto all = difference.symbols();
    const bool single =
        std::ranges::any_of(all, [&](int one) { return varies(one) && is_single(one); });
    for (const int one : all) {
        if (!varies(one) || (single && !is_single(one))) continue;
        const auto factor = difference.factor_of(one);
        if (!factor || factor->terms().size() != 1) continue;
        const bool upper = factor->terms().begin()->second < 0;
        const Poly rest = difference - *factor * Poly::of(one);
        const Poly step = upper ? *factor * Poly(-1) : *factor;
        auto bound = upper ? rest.over(step) : (rest * Poly(-1)).over(step);
        if (!bound) continue;
        // The bound of a quantity that counts in steps is a whole number of them.
        if (upper && !is_single(one)) {
            bound = *(rest + Poly(1)).over(step) - Poly(1);
        }
        guards_.push_back({one, *bound, upper});
        if (!upper && !(bound->number() && *bound->number() <= 0)) limit.symbols.insert(one);
        if (equal) limit.symbols.insert(one);
    }
    if (limits) limits_.push_back(std::move(limit));
}

void SymbolicExecutor::hold_equal(const Poly& difference, bool limits) {
    hold_not_negative(difference, limits, true);
    hold_not_negative(difference * Poly(-1), limits, true);
}

/// Notes that the difference is not 0: the places where it is are left out.
void SymbolicExecutor::note_other(const Poly& difference, bool limits) {
    if (!limits) return;
    PredicateMask limit;
    for (const int one : difference.symbols()) {
        if (varies(one)) limit.symbols.insert(one);
    }
    limit.all = limit.symbols.empty();
    limits_.push_back(std::move(limit));
}

void SymbolicExecutor::note_bound(const Poly& bound) {
    for (const int one : bound.symbols()) {
        if (varies(one)) continue;
        read_.bounding.insert(one);
        read_.compared.insert(one);
    }
}

/// Notes that a loaded value is used as a condition.
void SymbolicExecutor::note_truth(const Poly& number) {
    const int one = loaded_in(number);
    if (one >= 0 && number == Poly::of(one)) {
        read_.truths.insert(static_cast<std::size_t>(symbol(one).number));
    }
}

void SymbolicExecutor::hold(const Tree& tree, int index, bool positive, bool limits) {
    const Node& node = at(tree, index);
    if (node.kind == Node::Kind::group || node.kind == Node::Kind::cast) {
        return hold(tree, node.parts[0], positive, limits);
    }
    if (node.kind == Node::Kind::prefix && text_at(node.operator_token) == "!") {
        return hold(tree, node.parts[0], !positive, limits);
    }
    const std::string_view operation =
        node.kind == Node::Kind::binary ? text_at(node.operator_token) : "";
    if (node.kind == Node::Kind::name || node.kind == Node::Kind::index) {
        note_truth(evaluate(tree, index).number);
    }
    if ((operation == "&&" && positive) || (operation == "||" && !positive)) {
        hold(tree, node.parts[0], positive, limits);
        return hold(tree, node.parts[1], positive, limits);
    }
    // `if (i)` tests whether the work-item is the first one.
    if (node.kind == Node::Kind::name || node.kind == Node::Kind::call) {
        const Value value = evaluate(tree, index);
        const Poly number = value.number;
        const auto all = number.symbols();
        if (!all.empty() && std::ranges::all_of(all, [&](int one) {
                return varies(one) && !is_kind(one, Kind::other) && !is_kind(one, Kind::round);
            })) {
            note_condition({value});
            return positive ? note_other(number, limits) : hold_equal(number, limits);
        }
    }
    if (!is_comparison(operation) || at(tree, node.parts[0]).type.value.element == "float") {
        const bool is_less = is_comparison(operation) && operation != "==" && operation != "!=";
        if (is_comparison(operation)) {
            note_condition({evaluate(tree, node.parts[0]), evaluate(tree, node.parts[1])}, is_less);
        } else {
            note_condition({evaluate(tree, index)});
        }
        if (limits) limits_.push_back({.all = true});
        return;
    }
    hold_comparison(tree, node, positive, limits);
}

void SymbolicExecutor::hold_comparison(const Tree& tree, const Node& node, bool positive,
                                       bool limits) {
    const std::string_view operation = text_at(node.operator_token);
    const Value first = evaluate(tree, node.parts[0]), second = evaluate(tree, node.parts[1]);
    Poly left = first.number, right = second.number;
    note_condition({first, second}, operation != "==" && operation != "!=");
    if (!limits) {
        note_leads(left);
        note_leads(right);
    }
    if (operation == "==" || operation == "!=") {
        if (right.number() && *right.number() >= 0 && *right.number() <= 1) note_truth(left);
        if ((operation == "==") == positive) {
            if (limits && asks_data(left - right)) limits_.push_back({.all = true});
            return hold_equal(left - right, limits);
        }
        return hold_unequal(left - right, limits);
    }
    if (operation == ">" || operation == ">=") std::swap(left, right);
    bool strict = operation == "<" || operation == ">";
    if (!positive) {
        std::swap(left, right);
        strict = !strict;
    }
    hold_not_negative(right - left - Poly(strict ? 1 : 0), limits, false);
    if (limits && asks_data(right - left)) limits_.push_back({.all = true});
}

void SymbolicExecutor::hold_unequal(const Poly& difference, bool limits) {
    // -1 leads nowhere.
    const int data = loaded_in(difference);
    const Poly none = Poly::of(std::max(data, 0)) + Poly(1);
    if (data >= 0 && (difference == none || difference == none * Poly(-1)))
        guards_.push_back({data, Poly(-1), false});
    // An index that is at most the value, and not equal to it, is below it.
    for (const int one : difference.symbols()) {
        const Poly rest = difference - Poly::of(one);
        if (!varies(one) || rest.has(one)) continue;
        const Poly end = rest * Poly(-1);
        const bool up_to = std::ranges::any_of(guards_, [&](const Guard& guard) {
            return guard.symbol == one && guard.upper && guard.bound == end;
        });
        if (up_to) guards_.push_back({one, end - Poly(1), true});
    }
    note_other(difference, limits);
}

/// Whether a comparison depends on loaded data and on no work-item id: it may exclude any
/// work-item.
bool SymbolicExecutor::asks_data(const Poly& difference) const {
    const auto all = difference.symbols();
    const auto is_data = [&](int one) {
        // Bits masked off an index have a bound: they are an index, too, and not data.
        return is_kind(one, Kind::loaded) || (is_kind(one, Kind::other) && !symbol(one).upper);
    };
    return std::ranges::any_of(all, is_data) &&
           std::ranges::none_of(all, [&](int one) { return varies(one) && !is_data(one); });
}

}  // namespace parallax::body
