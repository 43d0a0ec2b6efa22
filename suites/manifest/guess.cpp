// Infers sizes, lengths and a launch from a kernel's body.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/analyze/value_type.hpp"
#include "suites/manifest/launch_inference.hpp"

namespace parallax::manifest {

LaunchGuess LaunchInference::guess() {
    for (const Parameter& parameter : kernel_.signature.parameters) {
        if (parameter.kind != Parameter::Kind::image || axes_of(parameter.type) > 0) continue;
        throw UsageError(
            fmt::format("The kernel '{}' has a parameter '{}' of type {}, which a "
                        "manifest cannot make; read a buffer there.",
                        kernel_.signature.kernel, parameter.name, parameter.type));
    }
    find_positions();
    find_items();
    find_products();
    find_lengths();
    find_extents();
    find_steps();
    bound_by_data();
    write_launch();
    write_arguments();
    write_sizes();
    return std::move(guess_);
}

void LaunchInference::find_positions() {
    const auto note = [&](const Poly& poly, bool is_extent) {
        for (const auto& [product, number] : poly.terms()) {
            for (const auto& [one, power] : product) {
                if (is_number(one) && power < 0) divides_.insert(one);
            }
        }
        for (const int one : poly.symbols()) {
            // A factor of the whole launch cannot be an offset: 0 would make the launch empty.
            const bool is_all = is_extent && poly.with(one, Poly(0)).terms().empty();
            if (is_number(one) && !body_.bounding.contains(one) && !divides_.contains(one) &&
                !body_.moduli.contains(one) && !is_all) {
                values_[one] = Poly(body_.divisors.contains(one) ? 1 : 0);
            }
        }
    };
    for (const BodyAccess& one : body_.accesses) {
        const bool local = parameter(one.parameter).kind == Parameter::Kind::local;
        if (one.most && !local) note(*one.most, false);
    }
    for (const BodyExtent& one : body_.extents) {
        note(one.count, true);
        // A border of 1, so that a tile has more than its borders.
        for (const int border : one.by.negative().symbols()) values_[border] = Poly(1);
    }
}

Poly LaunchInference::settled(Poly poly) const {
    for (const auto& [one, value] : values_) poly = poly.with(one, value);
    return poly;
}

bool LaunchInference::is_alone(std::size_t d) const {
    return body_.alone && body_.alone->contains(static_cast<int>(d));
}

void LaunchInference::find_items() {
    dimensions_ = static_cast<std::size_t>(body_.dimensions);
    // In a dimension where the body uses its work-group's index but never its work-item's, a
    // work-group has one work-item.
    const std::array<std::array<unsigned, 3>, 3> usual{{{256, 1, 1}, {16, 16, 1}, {8, 8, 4}}};
    std::size_t next = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) {
        const bool asked = body_.asked.contains(static_cast<int>(d)) && !is_alone(d);
        items_[d] =
            asked ? usual.at(std::max<std::size_t>(body_.asked.size(), 1) - 1).at(next++) : 1;
    }
    unsigned product = 1;
    for (std::size_t d = 0; d < dimensions_; ++d) {
        product *= std::max(1U, body_.fitting[d]);
    }
    for (std::size_t d = 0; d < dimensions_; ++d) {
        const bool required = body_.required[0] != 0;
        const bool fits = body_.fitting[d] != 0 && product <= 1024;
        if (required) {
            items_[d] = std::max(1U, body_.required[d]);
        } else if (fits) {
            items_[d] = body_.fitting[d];
        } else if (body_.asked.contains(static_cast<int>(d)) && !is_alone(d)) {
            continue;  // the usual size is suitable
        }
        if (const int size = find(Of::local_size, static_cast<int>(d)); size >= 0) {
            values_[size] = Poly(items_[d]);
        }
    }
}

void LaunchInference::find_lengths() {
    lengths_.resize(kernel_.signature.parameters.size());
    for (const BodyAccess& one : body_.accesses) {
        if (one.most) lengths_[one.parameter].push_back(settled(*one.most + Poly(1)));
    }
}

Poly LaunchInference::new_size(std::size_t d) {
    constexpr std::array<std::array<const char*, 3>, 3> names{
        {{"n", "", ""}, {"width", "height", ""}, {"width", "height", "depth"}}};
    if (const auto one = unnamed_number()) {
        use(Poly::of(*one));
        return Poly::of(*one);
    }
    std::string name = names.at(dimensions_ - 1).at(d);
    while (std::ranges::any_of(kernel_.signature.parameters,
                               [&](const Parameter& one) { return one.name == name; })) {
        name += "_";
    }
    new_sizes_.push_back(name);
    return Poly::of(-static_cast<int>(new_sizes_.size()));
}

const BodyExtent* LaunchInference::best_bound(int dimension) const {
    const int all = find(Of::global_size, dimension), groups = find(Of::groups, dimension);
    // A count that is a plain number is a border, if another count is a size.
    const auto rank = [](const BodyExtent& extent) {
        if (extent.count.number()) return 0;
        return !extent.guarded ? 1 : extent.in_choice ? 2 : 3;
    };
    const BodyExtent* best = nullptr;
    for (const BodyExtent& one : body_.extents) {
        const bool itself = one.count.has(all) || one.count.has(groups);
        const bool known = std::ranges::none_of(
            one.count.symbols(), [&](int q) { return is(q, Of::loaded) || is(q, Of::other); });
        const bool divides =
            one.by == Poly(1) || (settled(one.by).terms().size() == 1 && !one.in_choice);
        if (one.dimension != dimension || itself || !known || !divides) continue;
        if (!best || rank(one) > rank(*best)) best = &one;
    }
    return best;
}

LaunchInference::Extent LaunchInference::bounded_extent(const BodyExtent& bound) const {
    Extent extent;
    extent.count = *settled(bound.count).over(settled(bound.by));
    // The work-items of a border are launched, too, though the body excludes them.
    const auto& terms = extent.count.terms();
    const auto border = terms.find({});
    if (border != terms.end() && border->second < 0) extent.count += Poly(-border->second);
    const bool free = std::ranges::any_of(body_.accesses, [&](const BodyAccess& one) {
        return one.stores && one.items.contains(bound.dimension);
    });
    extent.guarded = bound.guarded && !(bound.in_choice && free);
    extent.of_groups = bound.of_groups;
    // A grid-stride loop should iterate: a work-item has several elements.
    const bool strides = body_.grid_strides.contains(bound.dimension) &&
                         std::ranges::none_of(body_.extents, [&](const BodyExtent& one) {
                             return one.dimension == bound.dimension && one.guarded && !one.in_loop;
                         });
    if (strides && extent.guarded) extent.count = extent.count * Poly(0.25);
    return extent;
}

LaunchInference::Extent LaunchInference::free_extent(std::size_t d) {
    const int dimension = static_cast<int>(d);
    const int all = find(Of::global_size, dimension), groups = find(Of::groups, dimension);
    // Nothing depends on the work-group: one is enough.
    if (!body_.asked_grid.contains(dimension) || is_alone(d)) {
        return {.count = Poly(1), .of_groups = true};
    }
    if (const auto same = same_as(all)) return {.count = *same};
    if (const auto square = only_number(); square && dimensions_ > 1 && !unnamed_number()) {
        note("Both sides of the launch are taken to be alike.");
        return {.count = *square};
    }
    return {.count = new_size(d),
            .of_groups = (all < 0 && groups >= 0) || uses_groups_alone(dimension)};
}

void LaunchInference::find_extents() {
    extents_.resize(dimensions_);
    for (std::size_t d = 0; d < dimensions_; ++d) {
        const int dimension = static_cast<int>(d);
        const int all = find(Of::global_size, dimension);
        const int groups = find(Of::groups, dimension);
        const BodyExtent* bound = best_bound(dimension);
        Extent& extent = extents_[d];
        extent = bound ? bounded_extent(*bound) : free_extent(d);
        const int size = find(Of::local_size, dimension);
        if (all >= 0) {
            const bool exact = !extent.guarded && !extent.of_groups;
            const Poly items = size >= 0 ? settled(Poly::of(size)) : Poly(items_.at(d));
            values_[all] = exact              ? extent.count
                           : extent.of_groups ? extent.count * items
                                              : items * Poly::of(group_name(d));
        }
        if (groups >= 0) {
            values_[groups] = extent.of_groups ? extent.count : Poly::of(group_name(d));
        }
    }
    for (Lengths& lengths : lengths_) {
        for (Poly& one : lengths) one = settled(one);
    }
}

bool LaunchInference::uses_groups_alone(int dimension) const {
    return body_.asked_groups.contains(dimension) &&
           std::ranges::none_of(body_.accesses, [&](const BodyAccess& one) {
               return one.most && one.most->has(find(Of::global_size, dimension));
           });
}

std::optional<Poly> LaunchInference::same_as(int all) const {
    if (all < 0) return {};
    for (const Lengths& lengths : lengths_) {
        if (std::ranges::find(lengths, Poly::of(all)) == lengths.end()) continue;
        for (const Poly& other : lengths) {
            const auto names = other.symbols();
            if (names.size() == 1 && is_number(*names.begin()) &&
                other == Poly::of(*names.begin())) {
                return other;
            }
        }
    }
    return {};
}

std::optional<Poly> LaunchInference::only_number() const {
    std::set<int> all;
    for (const int one : body_.bounding) {
        if (is_number(one)) all.insert(one);
    }
    const bool used =
        all.size() == 1 && std::ranges::any_of(body_.extents, [&](const BodyExtent& one) {
            return one.count == Poly::of(*all.begin());
        });
    return used ? std::optional(Poly::of(*all.begin())) : std::nullopt;
}

LaunchGuess guess_launch(const KernelReading& kernel) {
    return LaunchInference(kernel).guess();
}

}  // namespace parallax::manifest
