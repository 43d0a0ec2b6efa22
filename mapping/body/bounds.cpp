// Computes the range of an index from its symbols.
#include <algorithm>

#include "mapping/body/symbolic_executor.hpp"

namespace parallax::body {

int SymbolicExecutor::make(Symbol symbol) {
    read_.symbols.push_back(std::move(symbol));
    return static_cast<int>(read_.symbols.size()) - 1;
}

int SymbolicExecutor::known(Kind kind, int number, std::string name) {
    const auto [at, fresh] = known_.try_emplace({kind, number, name}, 0);
    if (fresh) at->second = make({.kind = kind, .number = number, .name = std::move(name)});
    return at->second;
}

bool SymbolicExecutor::varies(int number) const {
    switch (symbol(number).kind) {
        case Kind::parameter:
        case Kind::member:
        case Kind::local_size:
        case Kind::global_size:
        case Kind::groups:
        case Kind::loaded: return false;
        default: return true;
    }
}

bool SymbolicExecutor::varies(const Poly& poly) const {
    return std::ranges::any_of(poly.symbols(), [&](int one) { return varies(one); });
}

std::set<std::size_t> SymbolicExecutor::sources(const Poly& poly) const {
    std::set<std::size_t> found;
    for (const int one : poly.symbols()) {
        const Symbol& what = symbol(one);
        found.insert(what.from.begin(), what.from.end());
        if (what.kind == Kind::loaded) found.insert(static_cast<std::size_t>(what.number));
        if (what.kind == Kind::quotient || what.kind == Kind::remainder) {
            found.merge(sources(what.whole));
        }
    }
    return found;
}

Poly SymbolicExecutor::whole(Poly poly) {
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
    for (const int one : poly.symbols()) {
        if (!is_kind(one, Kind::remainder)) continue;
        const Symbol rest = symbol(one);
        const int count = rest.number;  // the quotient of the same division
        const auto step = poly.factor_of(one), far = poly.factor_of(count);
        if (!step || !far || !(*far == *step * rest.by) || far->terms().empty()) continue;
        poly = poly - *step * Poly::of(one) - *far * Poly::of(count) + *step * rest.whole;
    }
    return poly;
}

Poly SymbolicExecutor::quotient(const Poly& of, const Poly& by) {
    Poly whole = this->whole(of);
    if (by.number() == 1.0) return whole;
    if (by.terms().size() != 1) return unknown();
    if (varies(whole) || varies(by)) {
        for (std::size_t i = 0; i < read_.symbols.size(); ++i) {
            const Symbol& one = read_.symbols[i];
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

Poly SymbolicExecutor::remainder(const Poly& of, const Poly& by) {
    const Poly whole = this->whole(of);
    for (const int one : by.symbols()) {
        if (!varies(one)) read_.moduli.insert(one);
    }
    const Poly count = varies(whole) ? quotient(whole, by) : Poly();
    const auto owners = count.symbols();
    if (owners.size() != 1 || !is_kind(*owners.begin(), Kind::quotient)) {
        return Poly::of(make({.upper = by - Poly(1), .from = sources(whole)}));
    }
    return Poly::of(make({.kind = Kind::remainder,
                          .number = *owners.begin(),
                          .upper = by - Poly(1),
                          .whole = whole,
                          .by = by}));
}

/// Whether it grows with everything in it that varies. A factor with a positive term, such as
/// `w - k + 1`, is a length and taken to be positive.
bool SymbolicExecutor::settles(const Poly& poly) const {
    return std::ranges::all_of(poly.symbols(), [&](int one) {
        const auto factor = poly.factor_of(one);
        return !varies(one) ||
               (factor ? !factor->positive().terms().empty() : !poly.negative().has(one));
    });
}

std::optional<Poly> SymbolicExecutor::stride_bound(int one, const Poly& poly) {
    const auto step = poly.factor_of(one);
    if (!step) return {};
    std::optional<Poly> least;
    for (const auto& [product, number] : poly.terms()) {
        if (number <= 0) continue;
        Poly fixed(number);
        bool other = false, has_one = false;
        for (const auto& [symbol, power] : product) {
            has_one = has_one || symbol == one;
            if (varies(symbol)) {
                other = true;
            } else {
                for (int p = 0; p < power; ++p) fixed = fixed * Poly::of(symbol);
                if (power < 0) fixed = fixed.over(Poly::of(symbol)).value_or(fixed);
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
        // A plain number as the factor of a global id says nothing: no grid is that small.
        if (is_number && is_kind(one, Kind::global_id)) continue;
        if (!least || factors.size() < least->terms().begin()->first.size()) least = ratio;
    }
    return least;
}

std::optional<Poly> SymbolicExecutor::bound_of(int one, const Poly& poly, unsigned depth) {
    const Symbol what = symbol(one);
    for (auto guard = guards_.rbegin(); guard != guards_.rend(); ++guard) {
        if (guard->symbol != one || !guard->upper) continue;
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
        if (guard->symbol == one && guard->upper) return guard->bound;
    }
    if (what.kind == Kind::group_id) {
        return Poly::of(known(Kind::groups, what.number)) - Poly(1);
    }
    if (what.kind == Kind::global_id) {
        return Poly::of(known(Kind::global_size, what.number)) - Poly(1);
    }
    return {};
}

std::optional<Poly> SymbolicExecutor::most(Poly poly, unsigned depth) {
    for (unsigned round = 0; round < 60; ++round) {
        steps_ += 10 + poly.terms().size();
        if (poly.terms().size() > 60 || steps_ > most_steps) return {};
        poly = whole(poly);
        std::vector<int> open;
        for (const int one : poly.symbols()) {
            if (varies(one)) open.push_back(one);
        }
        if (open.empty()) {
            // A loaded value that is subtracted counts as its least value.
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
        // First a quantity that no other one's bound names.
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
        // A factor with a positive term, such as `w - k + 1`, is a length and taken to be positive.
        const bool rises = !factor->positive().terms().empty();
        const Poly up = rises ? *factor : Poly(), down = rises ? Poly() : *factor;
        if (!up.terms().empty() && !bounds[chosen]) return {};
        const Poly rest = poly - *factor * Poly::of(chosen);
        poly = rest + down * symbol(chosen).lower;
        if (bounds[chosen]) poly += up * *bounds[chosen];
    }
    return {};
}

/// Where a row may end: where the next one begins, as a buffer says, or for the last row a number.
bool SymbolicExecutor::is_row_end(const Poly& a, const Poly& b) const {
    const auto is = [&](const Poly& poly, Kind kind) {
        const auto all = poly.symbols();
        return all.size() == 1 && is_kind(*all.begin(), kind) && poly == Poly::of(*all.begin());
    };
    return (is(a, Kind::loaded) && is(b, Kind::parameter)) ||
           (is(a, Kind::parameter) && is(b, Kind::loaded));
}

Value SymbolicExecutor::either(const Value& a, std::optional<Poly> most_a, const Value& b,
                               std::optional<Poly> most_b) {
    if (a == b) return a;
    const Arrival arrival = std::max(arrival_of(a), arrival_of(b));
    Dependence on = dependence_of(a);
    on |= dependence_of(b);
    for (const auto& [unset, set, top] : {std::tuple{&a, &b, &most_b}, {&b, &a, &most_a}}) {
        const auto all = unset->number.symbols();
        const bool has_none =
            unset->memory < 0 && set->memory < 0 && set->parts.empty() &&
            std::ranges::any_of(all, [&](int one) { return unset_.contains(one); });
        if (has_none && *top)
            return {Poly::of(
                make({.upper = *top, .from = sources(set->number), .arrival = arrival, .on = on}))};
    }
    Value made = a.memory >= 0 ? a : b;
    made.parts.clear();
    if (a.memory != b.memory) made.memory = -1;
    made.number = {};
    // If two bounds cannot be compared, the second may be the smaller one.
    if (most_a && most_b && !is_row_end(a.number, b.number)) {
        const Poly more = *most_b - *most_a;
        // A size is taken to be large: n - 1 is more than 0.
        const auto leads = [&more](bool up) {
            return std::ranges::any_of(more.terms(), [&](const auto& term) {
                return !term.first.empty() && (up ? term.second > 0 : term.second < 0);
            });
        };
        const bool above = more.negative().terms().empty() || (leads(true) && !leads(false));
        std::set<std::size_t> from = sources(a.number);
        from.merge(sources(b.number));
        made.number = Poly::of(make({.upper = above ? most_b : most_a,
                                     .from = std::move(from),
                                     .arrival = arrival,
                                     .on = on}));
    } else {
        made.number = unknown(on, arrival);
    }
    return made;
}

}  // namespace parallax::body
