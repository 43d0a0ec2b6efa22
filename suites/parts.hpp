// What plans, inputs, answers and work of many suites consist of.
#pragma once

#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"

namespace parallax {

/// A constant that counts something.
inline std::uint64_t count_of(const Case& c, const char* constant) {
    return static_cast<std::uint64_t>(c[constant]);
}

/// The constant, as an argument that the plan passes.
inline ConstantSpec argument(ConstantSpec one) {
    one.is_argument = true;
    return one;
}

/// Shapes of one dimension, each 2 to one of these powers.
inline std::vector<Shape> powers_of_two(std::initializer_list<unsigned> powers) {
    std::vector<Shape> shapes;
    for (const unsigned power : powers) shapes.push_back({{std::uint64_t{1} << power}});
    return shapes;
}

/// A plan with `in` and `out` of as many elements of the case's type, and no step.
inline Plan in_to_out(const Case& c, std::uint64_t in, std::uint64_t out) {
    Plan plan;
    plan.buffers = {{"in", Role::input, c.type, in}, {"out", Role::output, c.type, out}};
    return plan;
}
/// Both of the case's first extent, in such memory.
inline Plan in_to_out(const Case& c, Placement in = Placement::device,
                      Placement out = Placement::device) {
    Plan plan = in_to_out(c, c.shape[0], c.shape[0]);
    plan.buffers[0].placement = in;
    plan.buffers[1].placement = out;
    return plan;
}

/// Work-groups of `group` work-items, one after the other.
inline Geometry in_a_row(std::uint64_t groups, std::uint64_t group) {
    return {{groups, 1, 1}, {group, 1, 1}};
}
/// The number of them that covers `items`.
inline Geometry covering(std::uint64_t items, std::uint64_t group) {
    return in_a_row(divide_up(items, group), group);
}

/// The inputs of a plan with one.
inline std::vector<HostArray> one_array(HostArray array) {
    std::vector<HostArray> arrays;
    arrays.push_back(std::move(array));
    return arrays;
}

/// The answer of a plan with one output.
template <class Values>
std::vector<Expected> one_answer(Values values) {
    std::vector<Expected> expected(1);
    expected[0].values = std::move(values);
    return expected;
}

/// The answer of sums: for integers exact, else in a wider type, with the sums of magnitudes.
/// @param sums_in  called with a value of the wider type: the sums in it, and the magnitudes
template <class T, class Sums>
std::vector<Expected> answer_of_sums(ElementType type, const Sums& sums_in) {
    if constexpr (std::is_integral_v<T>) {
        const auto exact = sums_in(std::int64_t{}).first;
        HostArray values(type, exact.size());
        for (std::size_t i = 0; i < exact.size(); ++i) values.as<T>()[i] = static_cast<T>(exact[i]);
        return one_answer(std::move(values));
    } else {
        using Wide = std::conditional_t<std::is_same_v<T, double>, long double, double>;
        auto [values, magnitudes] = sums_in(Wide{});
        std::vector<Expected> expected = one_answer(std::move(values));
        expected[0].magnitudes = std::move(magnitudes);
        return expected;
    }
}

/// A constant as a factor.
inline double times(const Case& c, const char* constant) {
    return static_cast<double>(c[constant]);
}
/// The case's first extent.
inline double length(const Case& c) {
    return static_cast<double>(c.shape[0]);
}
/// This number of elements of the case's type is moved.
inline Work moving(const Case& c, double elements, double operations = 0) {
    return {.bytes = elements * static_cast<double>(size_of(c.type)), .operations = operations};
}

/// Numerical Recipes' constants. Kernels get them as arguments: otherwise a compiler combines all
/// steps into one, as `turned` does.
inline constexpr std::uint32_t turning_factor = 1664525u, turning_addend = 1013904223u;

/// `in` after the case's ROUNDS steps x -> turning_factor x + turning_addend modulo 2^32.
inline HostArray turned(const Case& c, const HostArray& in) {
    // Successive steps x -> a x + b are one step of the same kind.
    std::uint32_t a = 1, b = 0;
    for (std::int64_t r = 0; r < c["ROUNDS"]; ++r) {
        a *= turning_factor;
        b = b * turning_factor + turning_addend;
    }
    HostArray out(in.type(), in.size());
    const auto from = in.as<std::uint32_t>();
    fill_by_index(out.as<std::uint32_t>(), [&](std::uint64_t i) { return a * from[i] + b; });
    return out;
}

/// Inputs with all bit patterns.
inline InputPattern any_bits() {
    return {"any bits", false};
}

/// One array of `elements`: `integers` distinguish all near and far neighbours, `any bits` includes
/// NaNs of every kind.
inline std::vector<HostArray> moved_inputs(const Case& c, std::uint64_t elements,
                                           const InputPattern& pattern, std::uint64_t seed) {
    HostArray array(c.type, elements);
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        const bool is_exact = pattern.exact, is_any = pattern.name == any_bits().name;
        const double reach = is_floating(c.type) ? 1.0 : 0x1p31 - 1;
        fill_by_index(array.as<T>(), [=](std::uint64_t i) -> T {
            // The largest prime below 2^24, which is exact in float.
            if (is_exact) return static_cast<T>((i + seed % 4096) % 16777213);
            if (is_any) {
                const std::uint64_t bits = mix(seed, i);
                T value;
                std::memcpy(&value, &bits, sizeof value);
                return value;
            }
            return static_cast<T>(uniform(seed, i) * reach);
        });
    });
    return one_array(std::move(array));
}

/// The same for an input of the case's first extent.
inline std::vector<HostArray> moved_line(const Case& c, const InputPattern& pattern,
                                         std::uint64_t seed) {
    return moved_inputs(c, c.shape[0], pattern, seed);
}

}  // namespace parallax
