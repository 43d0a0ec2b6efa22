// A half-precision number on the host: stored in 16 bits, computed as a float.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace parallax {

/// IEEE binary16 as OpenCL's `half` and CUDA's `__half` keep it.
struct Half {
    std::uint16_t bits = 0;

    Half() = default;
    /// Rounds to nearest, ties to even; magnitudes above 65504 become infinite.
    explicit Half(double value);
    explicit operator float() const;
    explicit operator double() const { return static_cast<float>(*this); }
    explicit operator long double() const { return static_cast<float>(*this); }
    /// The same bits.
    bool operator==(const Half&) const = default;
    static constexpr Half of_bits(std::uint16_t bits) {
        Half half;
        half.bits = bits;
        return half;
    }
};

inline Half::Half(double value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const double size = std::fabs(value);
    if (std::isnan(value)) {
        bits = sign | 0x7e00;
    } else if (size >= 65520) {
        bits = sign | 0x7c00;
    } else {
        // One unit in the last place, of the smallest exponent at least; nearbyint ties to even.
        const int exponent = size < 0x1p-14 ? -14 : std::ilogb(size);
        const auto units =
            static_cast<std::uint16_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
        // The leading one of `units` carries into the exponent by itself; a denormal has none.
        bits = static_cast<std::uint16_t>(sign + ((exponent + 14) << 10) + units);
    }
}

inline Half::operator float() const {
    const int exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
    float size = 0;
    if (exponent == 0x1f) {
        size = fraction == 0 ? std::numeric_limits<float>::infinity()
                             : std::numeric_limits<float>::quiet_NaN();
    } else if (exponent == 0) {
        size = std::ldexp(static_cast<float>(fraction), -24);
    } else {
        size = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    }
    return bits & 0x8000 ? -size : size;
}

}  // namespace parallax

/// Numeric limits, for the comparison of results.
template <>
struct std::numeric_limits<parallax::Half> {
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true;
    static constexpr int digits = 11;
    static constexpr parallax::Half max() { return parallax::Half::of_bits(0x7bff); }
    static constexpr parallax::Half min() { return parallax::Half::of_bits(0x0400); }
    static constexpr parallax::Half epsilon() { return parallax::Half::of_bits(0x1400); }
    static constexpr parallax::Half denorm_min() { return parallax::Half::of_bits(0x0001); }
};
