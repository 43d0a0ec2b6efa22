// Infers numbers that depend on others: rows, strides, products, and indices in data.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mapping/analyze/value_type.hpp"
#include "suites/manifest/launch_inference.hpp"

namespace parallax::manifest {
namespace {

/// `lda`: by its name the length of a matrix row, including padding.
bool is_leading(std::string_view name) {
    return name.size() <= 3 && (name.starts_with("ld") || name.starts_with("LD"));
}

bool is_multiple(const Poly& poly, double of) {
    return std::ranges::all_of(poly.terms(),
                               [&](const auto& term) { return std::fmod(term.second, of) == 0; });
}

}  // namespace

std::optional<int> LaunchInference::unnamed_number() const {
    std::optional<int> found;
    for (const int p : body_.unnamed) {
        const Parameter& one = parameter(static_cast<std::size_t>(p));
        const bool counts = one.kind == Parameter::Kind::scalar && is_whole(one.type) &&
                            !is_small(one.name) && !values_.contains(find(Of::parameter, p));
        if (!counts || used_.contains(find(Of::parameter, p))) continue;
        if (found) return {};
        found = find(Of::parameter, p);
    }
    return found;
}

void LaunchInference::find_products() {
    for (const Symbol& one : body_.symbols) {
        const auto by = one.by.symbols(), whole = one.whole.symbols();
        const bool splits = one.kind == Of::quotient && by.size() == 1 && is_number(*by.begin()) &&
                            one.by == Poly::of(*by.begin());
        if (splits && whole.size() == 1 && is(*whole.begin(), Of::local_id)) {
            // The number divides an index in the work-group, as a warp's width does: a work-group
            // has whole ones.
            const auto d = static_cast<std::size_t>(symbol(*whole.begin()).number);
            values_.insert_or_assign(*by.begin(), Poly(std::min(32U, items_.at(d))));
        }
        if (one.kind != Of::quotient || by.size() != 1 || one.by != Poly::of(*by.begin()) ||
            !is_number(*by.begin()) || whole.size() != 1 || !is(*whole.begin(), Of::global_id) ||
            one.whole != Poly::of(*whole.begin())) {
            continue;
        }
        for (const BodyExtent& extent : body_.extents) {
            const auto all = extent.count.symbols();
            if (!extent.guarded || all.size() != 1 || *all.begin() == *by.begin() ||
                extent.count != Poly::of(*all.begin()) || !is_number(*all.begin()) ||
                extent.dimension != symbol(*whole.begin()).number ||
                values_.contains(*all.begin())) {
                continue;
            }
            values_.erase(*by.begin());  // assumed to be an offset: no other use
            const auto other = unnamed_number();
            Poly product = one.by;
            // A quotient that is divided again multiplies the number of parts.
            Poly parted = Poly::of(static_cast<int>(&one - body_.symbols.data()));
            for (std::size_t q = 0; q < body_.symbols.size(); ++q) {
                const Symbol& part = body_.symbols[q];
                const auto parts = part.by.symbols();
                if (part.kind != Of::quotient || !(part.whole == parted) || parts.size() != 1 ||
                    part.by != Poly::of(*parts.begin()) || !is_number(*parts.begin())) {
                    continue;
                }
                values_.erase(*parts.begin());
                product = product * part.by;
                parted = Poly::of(static_cast<int>(q));
            }
            product = product * (other ? Poly::of(*other) : new_size(0));
            follow(*all.begin(), product);
            use(product);
        }
    }
}

std::vector<int> LaunchInference::steps_in(const Poly& one) const {
    std::vector<int> steps;
    for (const int step : one.symbols()) {
        const bool is_launched = std::ranges::any_of(
            extents_, [&](const Extent& extent) { return extent.count.has(step); });
        if (step >= 0 && is_number(step) && !values_.contains(step) && !is_launched &&
            !body_.compared.contains(step) && !body_.moduli.contains(step) && one.factor_of(step)) {
            steps.push_back(step);
        }
    }
    // Inner strides first: the stride of a batch is then a whole number of rows.
    const auto dimension = [&](int step) {
        int found = -1;
        for (std::size_t d = 0; d < dimensions_; ++d) {
            for (const int q : extents_[d].count.symbols()) {
                if (one.factor_of(step)->has(q)) found = static_cast<int>(d);
            }
        }
        return found;
    };
    std::ranges::stable_sort(steps, {}, dimension);
    return steps;
}

void LaunchInference::find_steps() {
    find_steps(Steps::known);
    // A stride of unknown extent is that of adjacent elements; a stride over indices from data
    // covers a few rows.
    find_steps(Steps::alone);
    find_steps(Steps::led);
    for (Lengths& lengths : lengths_) {
        for (Poly& one : lengths) one = whole_rows(settled(one));
    }
}

void LaunchInference::find_steps(Steps which) {
    for (std::size_t p = 0; p < lengths_.size(); ++p) {
        for (const Poly& one : Lengths(lengths_[p])) {
            if (parameter(p).kind == Parameter::Kind::local) {
                find_local_length(p, one);
                continue;
            }
            const std::vector<int> steps = steps_in(one);
            for (std::size_t i = 0; i < steps.size(); ++i) {
                if (const auto value = value_of_step(which, one, steps, i))
                    follow(steps[i], *value);
            }
        }
    }
}

void LaunchInference::find_local_length(std::size_t p, const Poly& length) {
    for (const int step : length.symbols()) {
        if (step < 0 || !is_number(step) || values_.contains(step) || length != Poly::of(step)) {
            continue;
        }
        for (const Poly& other : lengths_[p]) {
            if (!other.has(step) && !other.number()) follow(step, other);
        }
    }
}

std::optional<Poly> LaunchInference::value_of_step(Steps which, const Poly& length,
                                                   const std::vector<int>& steps, std::size_t i) {
    const Poly known = settled(length);
    if (!known.factor_of(steps[i])) return {};
    const Poly factor = *known.factor_of(steps[i]);
    Poly row = known;
    for (std::size_t k = i; k < steps.size(); ++k) row = row.with(steps[k], Poly(0));
    // The elements after the last row are a part of it.
    if (pads_ > 0 && row.negative().number()) row = row.positive();
    // In (n + 1) * rows + columns a row has n + 1 elements.
    const Poly rest = row - factor;
    const bool one_more = !rest.symbols().empty() && rest.negative().terms().empty() &&
                          rest.terms().size() < row.terms().size();
    if (one_more) row = rest - Poly(1);
    bool loads = false;
    for (const int q : row.symbols()) {
        if (q < 0 || !is(q, Of::loaded)) continue;
        loads = which != Steps::led;
        row = row.with(q, Poly(each_row - 1));
    }
    if (loads || row.symbols().empty() != (which == Steps::alone) || row.terms().empty() ||
        !row.negative().terms().empty()) {
        return {};
    }
    // Where a power of two divides both, the step counts in units of that number of elements: the
    // largest is taken, below 1 where the factor is a fraction.
    const auto first = factor.terms().find({});
    const bool parts = first != factor.terms().end() && std::fmod(first->second, 1) != 0;
    double each = 16;
    while (each > (parts ? 1.0 / 64 : 1) &&
           (!is_multiple(row, each) || !is_multiple(factor, each))) {
        each /= 2;
    }
    Poly step = *row.over(each);
    // Elements, and rows, that are apart: what takes them for neighbours shows.
    if (which == Steps::alone && step == Poly(1)) step = Poly(static_cast<double>(2 + steps_++));
    if (which == Steps::known && each == 1 && !parts && is_leading(name_of_symbol(steps[i]))) {
        step += Poly(static_cast<double>(1 + pads_++));
    }
    return step;
}

void LaunchInference::follow(int number, const Poly& value) {
    values_.insert_or_assign(number, value);
    followers_.insert_or_assign(number, value);
}

Poly LaunchInference::whole_rows(const Poly& poly) {
    const auto inside = [](const Poly::Product& part, const Poly::Product& all) {
        return part != all && std::ranges::all_of(part, [&](const auto& factor) {
                   return std::ranges::any_of(all, [&](const auto& other) {
                       return other.first == factor.first && other.second >= factor.second;
                   });
               });
    };
    const auto is_part = [&](const Poly::Product& part) {
        return std::ranges::any_of(poly.terms(), [&](const auto& term) {
            return term.second > 0 && inside(part, term.first);
        });
    };
    bool misses = false;
    Poly whole;
    for (const auto& [product, number] : poly.terms()) {
        const bool part = is_part(product);
        misses = misses || number < 0;
        if (number < 0 && !part) return poly;
        if (part && number < 0) continue;
        Poly term(number);
        for (const auto& [one, power] : product) {
            for (int i = 0; i < power; ++i) term = term * Poly::of(one);
            if (power < 0) return poly;
        }
        whole += term;
    }
    return misses && whole.terms().size() == 1 ? whole : poly;
}

Poly LaunchInference::number_of_rows() const {
    // Where several work-items share a row, the number of rows is smaller by their number.
    Poly rows = extents_[0].count * Poly(extents_[0].of_groups ? items_[0] : 1);
    bool shared = false;
    for (const Lengths& lengths : lengths_) {
        for (const Poly& one : lengths) {
            const auto items = rows.over(one);
            const bool is_row = items && one.terms().begin()->second >= 1;
            if (!is_row || items->number().value_or(0) <= 1) continue;
            rows = one;
            shared = true;
        }
    }
    return !shared && extents_[0].of_groups && uses_groups_alone(0) ? extents_[0].count : rows;
}

Poly LaunchInference::length_of(std::size_t p) const {
    Poly most = lengths_[p].empty() ? extents_[0].count : lengths_[p].front();
    for (const Poly& one : lengths_[p]) {
        if (sample(one, 0) > sample(most, 0)) most = one;
    }
    return most;
}

int LaunchInference::bound_by_counts(Poly& length) {
    int leads = -1;
    for (const int q : length.symbols()) {
        if (q < 0 || !is(q, Of::loaded)) continue;
        const auto from = static_cast<std::size_t>(symbol(q).number);
        if (body_.offsets.contains(from)) {
            const Poly all = (length_of(from) - Poly(1)) * Poly(each_row);
            length = length.with(q, all);
            const auto type = value_type_named(parameter(from).type);
            fills_[from] = type && !type->is_vector()
                               ? fmt::format("{{\"csr_offsets\": [{}, {}]}}",
                                             json_number(text_of(all)), most_in_row)
                               : fmt::format("{{\"formula\": \"{} * i\"}}", each_row);
        } else if (body_.counts.contains(from)) {
            length = length.with(q, Poly(each_row));
            fills_[from] = fmt::format("{{\"random\": [0, {}]}}", each_row + 1);
        } else {
            leads = q;
        }
    }
    return leads;
}

void LaunchInference::bound_by_indices(std::size_t p, const Poly& length, int leads,
                                       const Poly& rows, Lengths& plain) {
    const auto from = static_cast<std::size_t>(symbol(leads).number);
    const auto factor = length.factor_of(leads);
    if (!factor) return;
    const auto known = value_type_named(parameter(from).type);
    const bool bytes = known && element_bytes(known->element) == 1;
    Poly count = bytes           ? Poly(is_signed_element(known->element) ? 128 : 256)
                 : plain.empty() ? rows
                                 : plain.front();
    const auto any = [&](auto of) {
        return std::ranges::any_of(body_.accesses, [&](const BodyAccess& access) {
            return access.parameter == p && access.*of && access.most && access.most->has(leads);
        });
    };
    const bool atomic = any(&BodyAccess::atomic);
    // A kernel that stores where loaded indices point is taken to store to each place once.
    const bool scatters = !bytes && !atomic && plain.empty() && any(&BodyAccess::stores);
    if (scatters) count = length_of(from);
    if (!bytes && atomic && plain.empty()) count = Poly(256);
    if (!bytes && !plain.empty()) {
        // Into a row it leads as far as the last row does, and to rows, to whole ones.
        const Poly rest = settled(length - *factor * Poly::of(leads) - *factor);
        const bool is_place = factor->number() && sample(count - rest, 0) >= 1;
        const bool is_behind = rest.number().value_or(1) > 0 && !is_place;
        count = (count - (is_behind ? Poly(0) : rest)).over(*factor).value_or(count);
    } else {
        plain.push_back(length.with(leads, count - Poly(1)));
        if (!bytes) {
            note(fmt::format("'{}' is taken to have {} elements that '{}' leads to.",
                             parameter(p).name, text_of(count), parameter(from).name));
        }
    }
    // Where they lead into several buffers, the smallest of these bounds them.
    const auto [least, is_new] = least_ends_.try_emplace(from, count);
    if (!is_new && sample(least->second, 0) <= sample(count, 0)) return;
    least->second = count;
    const std::string end = text_of(count);
    std::string low = "0";
    if (const auto lowest = body_.lowest.find(from);
        lowest != body_.lowest.end() && known && is_signed_element(known->element)) {
        low = lowest->second == -1 ? "-1" : fmt::format("\"-(1 + ceil(({}) / 8))\"", end);
    }
    fills_[from] = scatters ? "\"permutation\""
                            : fmt::format("{{\"random\": [{}, {}]}}", low, json_number(end));
}

void LaunchInference::bound_by_data() {
    const Poly rows = number_of_rows();
    for (std::size_t p = 0; p < lengths_.size(); ++p) {
        Lengths plain;
        std::vector<std::pair<Poly, int>> led;
        for (Poly one : lengths_[p]) {
            const int leads = bound_by_counts(one);
            if (leads >= 0) {
                led.emplace_back(one, leads);
            } else {
                plain.push_back(one);
            }
        }
        for (const auto& [one, leads] : led) {
            // Two buffers of rows' begins and ends are the user's to fill.
            const auto from = static_cast<std::size_t>(symbol(leads).number);
            if (!body_.ends.contains(from)) bound_by_indices(p, one, leads, rows, plain);
        }
        lengths_[p] = std::move(plain);
    }
}

std::string LaunchInference::json_number(const std::string& formula) {
    const bool number = std::ranges::all_of(formula, [](char c) { return c >= '0' && c <= '9'; });
    return number ? formula : fmt::format("\"{}\"", formula);
}

}  // namespace parallax::manifest
