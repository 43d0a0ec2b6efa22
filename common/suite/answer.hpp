// The expected outputs of a case, their tolerance, its work and the input patterns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/device/types.hpp"

namespace parallax {

/// The minimum of data movement and arithmetic, whatever the algorithm.
struct Work {
    double bytes = 0;  ///< read + written in global memory
    double operations =
        0;  ///< floating-point (integer, for `int`) operations; a fused multiply-add is 2

    /// Whether memory bandwidth limits it on today's devices: low arithmetic intensity.
    bool moves_much() const { return operations < 16 * bytes; }
};

/// The allowed difference between a result and the reference.
struct Tolerance {
    enum class Kind { bits, value, rounding, ulp, difference } kind = Kind::value;
    /// Longest chain of roundings that leads to one output element (`rounding` only): the bound is
    /// depth * unit roundoff * sum of the magnitudes that go into the element.
    double depth = 0;
    double ulp = 0;                     ///< units in the last place of the reference value (`ulp`)
    double relative = 0, absolute = 0;  ///< |error| <= relative * |right| + absolute (`difference`)
    bool integers_equal = false;        ///< integers must be equal (`difference`)

    static Tolerance bits() { return {.kind = Kind::bits}; }  ///< the same bits
    /// Equal as numbers; any NaN for a NaN.
    static Tolerance exact() { return {.kind = Kind::value}; }
    static Tolerance rounding(double depth) { return {.kind = Kind::rounding, .depth = depth}; }
    static Tolerance within_ulp(double units) { return {.kind = Kind::ulp, .ulp = units}; }
    static Tolerance difference(double relative, double absolute) {
        return {.kind = Kind::difference, .relative = relative, .absolute = absolute};
    }
};

/// The expected content of one output buffer.
struct Expected {
    /// The elements: in the output's own type where they are exact, else in a wider one (`double`
    /// for `float`, `long double` for `double`).
    std::variant<HostArray, std::vector<double>, std::vector<long double>> values;
    /// Per element: the sum of |x| over all terms. Empty for exact values.
    std::vector<double> magnitudes;
};

/// A kind of input data that verification tries.
struct InputPattern {
    std::string name;
    bool exact = false;          ///< small integers, so that every partial result is exact
    bool floating_only = false;  ///< NaN, infinities, ...
    /// In place of the run's seed, for inputs of timed launches; 0: the seed.
    std::uint64_t key = 0;
    /// Of Suite::tried_once: the place among Suite::check_shapes of the one shape that it is tried
    /// on, which is not the last one.
    std::optional<std::size_t> shape = {};
};

/// Other random inputs, which take the place of `random` ones while nothing else is reset: a kernel
/// that keeps what earlier launches found gives their answer. What a kernel might know inputs by
/// stays: of each buffer the first sixteenth and the last element are those of `random`.
inline constexpr const char* drawn_again = "random, drawn again";
/// Random inputs in which the first number and a quarter of the others are 0, as far as the range
/// has it, and others are its ends, numbers of the source and numbers of any size; rows of any
/// length.
inline constexpr const char* with_extremes = "random with extremes";
/// Random inputs of the highest and of the lowest eighth of the range; rows of any length.
inline constexpr const char *with_high = "random, high", *with_low = "random, low";
/// Random inputs with NaN, infinities, denormals and -0. Where these are few, sums stay finite.
inline constexpr const char* with_special = "random with special values";
inline constexpr const char* with_few_special = "random with few special values";

inline bool is_extreme(const InputPattern& pattern) {
    return pattern.name == with_extremes || pattern.name == with_high || pattern.name == with_low;
}
inline bool is_special(std::string_view pattern) {
    return pattern == with_special || pattern == with_few_special;
}

/// The unit for `rate()`: bytes, or operations, which are FLOP for floating-point elements only.
constexpr std::string_view rate_unit(bool by_operations, ElementType type) {
    return !by_operations ? "B" : is_floating(type) ? "FLOP" : "OP";
}

}  // namespace parallax
