// Conversions of half-precision numbers, for the shim's other headers.
#pragma once

namespace parallax_host {

/// Rounds to a half; `way`: 0 to nearest even, 1 down, 2 up, 3 towards zero.
PARALLAX_UNWATCHED inline unsigned short half_of(double x, int way) {
    const unsigned short sign = __builtin_signbit(x) ? 0x8000 : 0;
    double size = __builtin_fabs(x);
    if (x != x) return 0x7fff;
    const bool away = (way == 2 && !sign) || (way == 1 && sign);
    if (__builtin_isinf(x)) return sign | 0x7c00;
    // In units of the last place: 2^-24 below 2^-14, otherwise ten bits below the leading one.
    int exponent = 0;
    __builtin_frexp(size, &exponent);
    if (exponent < -13) exponent = -13;
    const double units = __builtin_scalbn(size, 11 - exponent);
    double whole = __builtin_floor(units);
    const double rest = units - whole;
    if (way == 0 ? rest > 0.5 || (rest == 0.5 && __builtin_fmod(whole, 2) == 1)
                 : away && rest > 0) {
        whole += 1;
    }
    size = __builtin_scalbn(whole, exponent - 11);
    if (size >= 65536) return sign | (way == 0 || away ? 0x7c00 : 0x7bff);
    if (size < 0x1p-14) return sign | static_cast<unsigned short>(size * 0x1p24);
    __builtin_frexp(size, &exponent);
    const auto fraction = static_cast<unsigned>(__builtin_scalbn(size, 11 - exponent)) - 1024;
    return sign | static_cast<unsigned short>((exponent + 14) << 10 | fraction);
}

PARALLAX_UNWATCHED inline float float_of_half(unsigned short bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float size = exponent == 0 ? __builtin_ldexpf(fraction, -24)
                               : __builtin_ldexpf(1024 + fraction, exponent - 25);
    if (exponent == 31) size = fraction ? __builtin_nanf("") : __builtin_inff();
    return bits & 0x8000 ? -size : size;
}

}  // namespace parallax_host
