// Quantities, the conditions that hold for them, and how large an index can become.
#include <algorithm>

#include "mapping/body/reader.hpp"

namespace parallax::body {

int Reader::make(Quantity quantity) {
    read_.quantities.push_back(std::move(quantity));
    return static_cast<int>(read_.quantities.size()) - 1;
}

int Reader::known(Kind kind, int number, std::string name) {
    const auto [at, fresh] = known_.try_emplace({kind, number, name}, 0);
    if (fresh) at->second = make({.kind = kind, .number = number, .name = std::move(name)});
    return at->second;
}

bool Reader::varies(int number) const {
    switch (quantity(number).kind) {
        case Kind::parameter:
        case Kind::member:
        case Kind::local_size:
        case Kind::global_size:
        case Kind::groups:
        case Kind::loaded: return false;
        default: return true;
    }
}

bool Reader::varies(const Poly& poly) const {
    return std::ranges::any_of(poly.quantities(), [&](int one) { return varies(one); });
}

Poly Reader::whole(Poly poly) {
    for (int d = 0; d < 3; ++d) {
        const int item = known(Kind::local_id, d), group = known(Kind::group_id, d);
        const auto step = poly.factor_of(item), far = poly.factor_of(group);
        if (!step || !far) continue;
        const auto size = far->over(*step);
        const unsigned required = read_.required.at(static_cast<std::size_t>(d));
        const bool is_size =
            size &&
            (size->number() ? *size->number() > 1 && (required == 0 || *size->number() == required)
                            : *size == Poly::of(known(Kind::local_size, d)));
        if (!is_size) continue;
        if (const auto number = size->number()) {
            const auto axis = static_cast<std::size_t>(d);
            unsigned& fitting = read_.fitting.at(axis);
            const auto found = static_cast<unsigned>(*number);
            read_.apart.at(axis) = std::max(read_.apart.at(axis), found);
            if (fitting == 0 || found < fitting) fitting = found;
            if (sizes_.at(axis) != 0 && found > sizes_.at(axis)) continue;
        }
        poly = poly - *step * Poly::of(item) - *far * Poly::of(group) +
               *step * Poly::of(known(Kind::global_id, d));
    }
    for (const int one : poly.quantities()) {
        if (!is_kind(one, Kind::remainder)) continue;
        const Quantity rest = quantity(one);
        const int count = rest.number;  // the quotient that belongs to it
        const auto step = poly.factor_of(one), far = poly.factor_of(count);
        if (!step || !far || !(*far == *step * rest.by) || far->terms().empty()) continue;
        poly = poly - *step * Poly::of(one) - *far * Poly::of(count) + *step * rest.whole;
    }
    return poly;
}

Poly Reader::quotient(const Poly& of, const Poly& by) {
    const Poly whole = this->whole(of);
    if (by.number() == 1.0) return whole;
    if (by.terms().size() != 1) return unknown();
    if (varies(whole) || varies(by)) {
        for (std::size_t i = 0; i < read_.quantities.size(); ++i) {
            const Quantity& one = read_.quantities[i];
            if (one.kind == Kind::quotient && one.whole == whole && one.by == by) {
                return Poly::of(static_cast<int>(i));
            }
        }
        return Poly::of(make({.kind = Kind::quotient, .whole = whole, .by = by}));
    }
    // Rounded up by hand, `(n + 15) / 16`, is taken as exact, too.
    const Poly less = whole - by + Poly(1);
    const Poly& exact = less.terms().size() < whole.terms().size() ? less : whole;
    return exact.over(by).value_or(unknown());
}

Poly Reader::remainder(const Poly& of, const Poly& by) {
    const Poly whole = this->whole(of);
    const Poly count = varies(whole) ? quotient(whole, by) : Poly();
    const auto owners = count.quantities();
    if (owners.size() != 1 || !is_kind(*owners.begin(), Kind::quotient)) {
        return Poly::of(make({.upper = by - Poly(1)}));
    }
    return Poly::of(make({.kind = Kind::remainder,
                          .number = *owners.begin(),
                          .upper = by - Poly(1),
                          .whole = whole,
                          .by = by}));
}

/// Whether nothing that varies is taken away in it. A factor with a positive term is a length, as
/// `w - k + 1`.
bool Reader::settles(const Poly& poly) const {
    return std::ranges::all_of(poly.quantities(), [&](int one) {
        const auto factor = poly.factor_of(one);
        return !varies(one) ||
               (factor ? !factor->positive().terms().empty() : !poly.negative().has(one));
    });
}

std::optional<Poly> Reader::stride_bound(int one, const Poly& poly) {
    const auto step = poly.factor_of(one);
    if (!step) return {};
    std::optional<Poly> least;
    for (const auto& [product, number] : poly.terms()) {
        if (number <= 0) continue;
        Poly fixed(number);
        bool other = false, has_one = false;
        for (const auto& [quantity, power] : product) {
            has_one = has_one || quantity == one;
            if (varies(quantity)) {
                other = true;
            } else {
                for (int p = 0; p < power; ++p) fixed = fixed * Poly::of(quantity);
                if (power < 0) fixed = fixed.over(Poly::of(quantity)).value_or(fixed);
            }
        }
        if (!other || has_one) continue;
        const auto ratio = fixed.over(*step);
        if (!ratio || ratio->terms().size() != 1) continue;
        const auto& [factors, times] = *ratio->terms().begin();
        const bool rises =
            std::ranges::all_of(factors, [](const auto& factor) { return factor.second > 0; });
        const bool is_number = factors.empty();
        if (!rises || times < 1 || (is_number && times <= 1)) continue;
        // A number tells a group's items apart, and not the grid's.
        if (is_number && is_kind(one, Kind::global_id)) continue;
        if (!least || factors.size() < least->terms().begin()->first.size()) least = ratio;
    }
    return least;
}

std::optional<Poly> Reader::bound_of(int one, const Poly& poly, unsigned depth) {
    const Quantity what = quantity(one);
    for (auto guard = guards_.rbegin(); guard != guards_.rend(); ++guard) {
        if (guard->quantity != one || !guard->upper) continue;
        if (settles(poly.with(one, guard->bound)) || settles(guard->bound)) return guard->bound;
    }
    const bool is_id =
        what.kind == Kind::local_id || what.kind == Kind::group_id || what.kind == Kind::global_id;
    if (what.upper) return what.upper;
    if (what.kind == Kind::quotient) {
        const auto top = depth < 8 ? most(what.whole, depth + 1) : std::nullopt;
        if (!top) return {};
        const auto count = (*top + Poly(1)).over(what.by);
        return count ? std::optional(*count - Poly(1)) : std::nullopt;
    }
    const bool in_group = what.kind == Kind::local_id;
    if (const auto stride = in_group ? std::nullopt : stride_bound(one, poly)) {
        const auto& [factors, number] = *stride->terms().begin();
        if (is_id) {
            read_.extents.push_back({what.number, *stride, false, what.kind == Kind::group_id});
        }
        if (is_id || what.kind == Kind::round || what.kind == Kind::other) {
            for (const auto& [factor, power] : factors) read_.bounding.insert(factor);
            return *stride - Poly(1);
        }
    }
    if (in_group) {
        return Poly::of(known(Kind::local_size, what.number)) - Poly(1);
    }
    for (auto guard = guards_.rbegin(); guard != guards_.rend(); ++guard) {
        if (guard->quantity == one && guard->upper) return guard->bound;
    }
    if (what.kind == Kind::group_id) {
        return Poly::of(known(Kind::groups, what.number)) - Poly(1);
    }
    if (what.kind == Kind::global_id) {
        return Poly::of(known(Kind::global_size, what.number)) - Poly(1);
    }
    return {};
}

std::optional<Poly> Reader::most(Poly poly, unsigned depth) {
    for (unsigned round = 0; round < 60; ++round) {
        steps_ += 10 + poly.terms().size();
        if (poly.terms().size() > 60 || steps_ > most_steps) return {};
        poly = whole(poly);
        std::vector<int> open;
        for (const int one : poly.quantities()) {
            if (varies(one)) open.push_back(one);
        }
        if (open.empty()) {
            // What is loaded is taken away at its least.
            Poly rest = poly;
            for (const auto& [product, number] : poly.terms()) {
                const bool loads = std::ranges::any_of(
                    product, [&](const auto& one) { return is_kind(one.first, Kind::loaded); });
                if (number >= 0 || !loads) continue;
                Poly term(-number);
                for (const auto& [one, power] : product) {
                    for (int p = 0; p < power; ++p) term = term * Poly::of(one);
                }
                rest += term;
            }
            return rest;
        }
        // First who is in nobody's bound.
        std::map<int, std::optional<Poly>> bounds;
        for (const int one : open) {
            bounds[one] = bound_of(one, poly, depth);
        }
        int chosen = open.front();
        for (const int one : open) {
            const bool named = std::ranges::any_of(bounds, [&](const auto& other) {
                return other.first != one && other.second && other.second->has(one);
            });
            if (!named) {
                chosen = one;
                if (!is_kind(one, Kind::local_id)) break;
            }
        }
        const auto factor = poly.factor_of(chosen);
        if (!factor) {
            if (!bounds[chosen]) return {};
            poly = poly.with(chosen, *bounds[chosen]);
            continue;
        }
        // A factor with a positive term is a length, as `w - k + 1`.
        const bool rises = !factor->positive().terms().empty();
        const Poly up = rises ? *factor : Poly(), down = rises ? Poly() : *factor;
        if (!up.terms().empty() && !bounds[chosen]) return {};
        const Poly rest = poly - *factor * Poly::of(chosen);
        poly = rest + down * quantity(chosen).lower;
        if (bounds[chosen]) poly += up * *bounds[chosen];
    }
    return {};
}

Value Reader::either(const Value& a, std::optional<Poly> most_a, const Value& b,
                     std::optional<Poly> most_b) {
    if (a == b) return a;
    Value made = a.memory >= 0 ? a : b;
    made.parts.clear();
    if (a.memory != b.memory) made.memory = -1;
    made.number = {};
    // Of two bounds that cannot be told apart the second may be the smaller one.
    if (most_a && most_b) {
        const Poly more = *most_b - *most_a;
        const bool above = more.negative().terms().empty();
        made.number = Poly::of(make({.upper = above ? most_b : most_a}));
    } else {
        made.number = unknown();
    }
    return made;
}

void Reader::note_extent(const Poly& difference) {
    // Who is below n as a part of 32 is below 32 * n.
    for (const int one : difference.quantities()) {
        const Quantity part = quantity(one);
        if (part.kind != Kind::quotient || difference.factor_of(one) != Poly(-1)) continue;
        const Poly rest = difference + Poly::of(one);
        return note_extent((rest + Poly(1)) * part.by - Poly(1) - part.whole);
    }
    // Who counts all items of two dimensions needs one row of them.
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
        for (const int one : difference.quantities()) {
            // A loop that begins at an item's place goes on from there.
            if (varies(one) && !is_kind(one, Kind::round)) varying.insert(one);
        }
        const bool by_item = varying == std::set{all};
        const bool by_group = varying == std::set{group, item} || varying == std::set{group};
        if (!by_item && !by_group) continue;
        const int one = by_item ? all : group;
        const auto factor = difference.factor_of(one);
        if (!factor || varies(*factor)) continue;
        // A tile of a number less twice its border.
        const auto tile = factor->terms().find({});
        const bool has_border = by_group && factor->terms().size() == 2 &&
                                tile != factor->terms().end() && tile->second < 0 &&
                                !factor->positive().terms().empty();
        const bool plain = factor->terms().size() == 1 && factor->terms().begin()->second < 0;
        if (!plain && !has_border) continue;
        Poly rest = difference + Poly(1);
        for (const int variable : difference.quantities()) {
            const auto own = varies(variable) ? rest.factor_of(variable) : std::nullopt;
            if (own) rest = rest - *own * Poly::of(variable);
        }
        if (has_border) {
            read_.extents.push_back({d, rest, true, true, false, *factor * Poly(-1)});
            continue;
        }
        // Whether it is the first one says nothing of how many there are.
        const auto count = rest.over(*factor * Poly(-1));
        if (count && count->number().value_or(2) > 1) {
            read_.extents.push_back({d, *count, true, by_group});
        }
    }
}

/// Something loaded that the polynomial has; -1: nothing.
int Reader::loaded_in(const Poly& poly) const {
    for (const int one : poly.quantities()) {
        if (is_kind(one, Kind::loaded)) return one;
    }
    return -1;
}

void Reader::hold_not_negative(const Poly& raw, bool limits, bool equal) {
    const Poly difference = whole(raw);
    if (!equal) note_extent(difference);
    for (const auto& [product, number] : difference.terms()) {
        if (number < 0) continue;
        for (const auto& [one, power] : product) {
            // What a bound is the lesser of bounds, too.
            if (!varies(one) || !quantity(one).upper) continue;
            for (const int inner : quantity(one).upper->quantities()) {
                if (varies(inner)) continue;
                read_.bounding.insert(inner);
                read_.compared.insert(inner);
            }
        }
        const bool fixed =
            std::ranges::none_of(product, [&](const auto& one) { return varies(one.first); });
        if (!fixed) continue;
        for (const auto& [one, power] : product) {
            read_.bounding.insert(one);
            read_.compared.insert(one);
            if (is_kind(one, Kind::loaded)) {
                const auto which = static_cast<std::size_t>(quantity(one).number);
                const int begin = loaded_in(difference.negative());
                if (begin < 0) {
                    read_.counts.insert(which);
                } else if (const auto from = static_cast<std::size_t>(quantity(begin).number);
                           from == which) {
                    read_.offsets.insert(which);
                } else {
                    read_.ends[which] = from;
                }
            }
        }
    }
    Limit limit;
    // Who counts singly is bounded; who counts in steps, where nobody does.
    const auto is_single = [&](int one) {
        const auto factor = difference.factor_of(one);
        return factor && factor->number() && std::abs(*factor->number()) == 1;
    };
    const auto all = difference.quantities();
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
        // In whole steps.
        if (upper && !is_single(one)) {
            bound = *(rest + Poly(1)).over(step) - Poly(1);
        }
        guards_.push_back({one, *bound, upper});
        if (!upper && !(bound->number() && *bound->number() <= 0)) limit.quantities.insert(one);
        if (equal) limit.quantities.insert(one);
    }
    if (limits) limits_.push_back(std::move(limit));
}

void Reader::hold_equal(const Poly& difference, bool limits) {
    hold_not_negative(difference, limits, true);
    hold_not_negative(difference * Poly(-1), limits, true);
}

/// What is not 0 leaves out the places where it is.
void Reader::note_other(const Poly& difference, bool limits) {
    if (!limits) return;
    Limit limit;
    for (const int one : difference.quantities()) {
        if (varies(one)) limit.quantities.insert(one);
    }
    limit.all = limit.quantities.empty();
    limits_.push_back(std::move(limit));
}

/// What is loaded, and asked for as a condition.
void Reader::note_truth(const Poly& number) {
    const int one = loaded_in(number);
    if (one >= 0 && number == Poly::of(one)) {
        read_.truths.insert(static_cast<std::size_t>(quantity(one).number));
    }
}

void Reader::hold(const Tree& tree, int index, bool positive, bool limits) {
    const Node& node = at(tree, index);
    if (node.kind == Node::Kind::group || node.kind == Node::Kind::cast) {
        return hold(tree, node.parts[0], positive, limits);
    }
    if (node.kind == Node::Kind::prefix && word(node.mark) == "!") {
        return hold(tree, node.parts[0], !positive, limits);
    }
    const std::string_view mark = node.kind == Node::Kind::binary ? word(node.mark) : "";
    if (node.kind == Node::Kind::name || node.kind == Node::Kind::index) {
        note_truth(evaluate(tree, index).number);
    }
    if ((mark == "&&" && positive) || (mark == "||" && !positive)) {
        hold(tree, node.parts[0], positive, limits);
        return hold(tree, node.parts[1], positive, limits);
    }
    // A place alone asks whether it is the first.
    if (node.kind == Node::Kind::name || node.kind == Node::Kind::call) {
        const Poly number = evaluate(tree, index).number;
        const auto all = number.quantities();
        if (!all.empty() && std::ranges::all_of(all, [&](int one) {
                return varies(one) && !is_kind(one, Kind::other) && !is_kind(one, Kind::round);
            })) {
            return positive ? note_other(number, limits) : hold_equal(number, limits);
        }
    }
    const bool compares =
        mark == "<" || mark == ">" || mark == "<=" || mark == ">=" || mark == "==" || mark == "!=";
    if (!compares || at(tree, node.parts[0]).type.value.element == "float") {
        if (limits) limits_.push_back({.all = true});
        return;
    }
    Poly left = evaluate(tree, node.parts[0]).number, right = evaluate(tree, node.parts[1]).number;
    if (mark == "==" || mark == "!=") {
        if (right.number() && *right.number() >= 0 && *right.number() <= 1) note_truth(left);
        if ((mark == "==") == positive) {
            if (limits && asks_data(left - right)) limits_.push_back({.all = true});
            return hold_equal(left - right, limits);
        }
        // Who goes up to it, and is not it, is below it.
        for (const int one : (left - right).quantities()) {
            const Poly rest = left - right - Poly::of(one);
            if (!varies(one) || rest.has(one)) continue;
            const Poly end = rest * Poly(-1);
            const bool up_to = std::ranges::any_of(guards_, [&](const Guard& guard) {
                return guard.quantity == one && guard.upper && guard.bound == end;
            });
            if (up_to) guards_.push_back({one, end - Poly(1), true});
        }
        return note_other(left - right, limits);
    }
    if (mark == ">" || mark == ">=") std::swap(left, right);
    bool strict = mark == "<" || mark == ">";
    if (!positive) {
        std::swap(left, right);
        strict = !strict;
    }
    hold_not_negative(right - left - Poly(strict ? 1 : 0), limits, false);
    if (limits && asks_data(right - left)) limits_.push_back({.all = true});
}

/// Whether a comparison is one with what is loaded, and with no place: it leaves out whom it likes.
bool Reader::asks_data(const Poly& difference) const {
    const auto all = difference.quantities();
    const auto is_data = [&](int one) {
        // What is masked off a place has a bound, and is a place.
        return is_kind(one, Kind::loaded) || (is_kind(one, Kind::other) && !quantity(one).upper);
    };
    return std::ranges::any_of(all, is_data) &&
           std::ranges::none_of(all, [&](int one) { return varies(one) && !is_data(one); });
}

}  // namespace parallax::body
