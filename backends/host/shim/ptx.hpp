// The few PTX instructions that translated texts hold, for cuda.hpp, which includes it. The
// tool turns `asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x))` into `parallax_ptx("...", h, x)`.
#pragma once

namespace parallax_host {

constexpr bool begins(const char* text, const char* with) {
    while (*text == ' ' || *text == '{') ++text;
    while (*with) {
        if (*text++ != *with++) return false;
    }
    return true;
}

/// Rounded to a half; `way`: 0 to nearest even, 1 down, 2 up, 3 towards zero.
inline unsigned short half_of(double x, int way) {
    const unsigned short sign = __builtin_signbit(x) ? 0x8000 : 0;
    double size = __builtin_fabs(x);
    if (x != x) return 0x7fff;
    const bool away = (way == 2 && !sign) || (way == 1 && sign);
    if (__builtin_isinf(x)) return sign | 0x7c00;
    // In units of the last place: 2^-24 below 2^-14, otherwise ten places below the leading one.
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

inline float float_of_half(unsigned short bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float size = exponent == 0 ? __builtin_ldexpf(fraction, -24)
                               : __builtin_ldexpf(1024 + fraction, exponent - 25);
    if (exponent == 31) size = fraction ? __builtin_nanf("") : __builtin_inff();
    return bits & 0x8000 ? -size : size;
}

}  // namespace parallax_host

template <class Result, class From>
void parallax_ptx(const char* text, Result& to, From from) {
    using parallax_host::begins;
    constexpr const char* to_half[] = {"cvt.rn.f16.f", "cvt.rm.f16.f", "cvt.rp.f16.f",
                                       "cvt.rz.f16.f"};
    if constexpr (parallax_host::is_floating<From> && sizeof(Result) == 2) {
        for (int way = 0; way < 4; ++way) {
            if (begins(text, to_half[way])) {
                const unsigned short made = parallax_host::half_of(from, way);
                __builtin_memcpy(&to, &made, 2);
                return;
            }
        }
    } else if constexpr (sizeof(From) == 2 && parallax_host::is_floating<Result>) {
        if (begins(text, "cvt.f32.f16") || begins(text, "cvt.f64.f16")) {
            unsigned short bits;
            __builtin_memcpy(&bits, &from, 2);
            to = parallax_host::float_of_half(bits);
            return;
        }
    } else if constexpr (parallax_host::is_floating<From> && parallax_host::is_floating<Result> &&
                         sizeof(From) == 4 && sizeof(Result) == 4) {
        // The approximations of the hardware; the kernels' bounds are theirs.
        if (begins(text, "sqrt.approx")) return void(to = __builtin_sqrtf(from));
        if (begins(text, "rsqrt.approx")) return void(to = 1 / __builtin_sqrtf(from));
        if (begins(text, "rcp.approx")) return void(to = 1 / from);
        if (begins(text, "ex2.approx")) return void(to = __builtin_exp2f(from));
        if (begins(text, "lg2.approx")) return void(to = __builtin_log2f(from));
        if (begins(text, "sin.approx")) return void(to = __builtin_sinf(from));
        if (begins(text, "cos.approx")) return void(to = __builtin_cosf(from));
    }
    parallax_host::machine.lacks(text);
}

template <class To>
void parallax_ptx(const char* text, To&& to) {
    using parallax_host::begins;
    const unsigned lane = parallax_host::lane();
    if (begins(text, "mov.u32 %0, %%laneid")) {
        to = lane;
    } else if (begins(text, "mov.u32 %0, %%lanemask_lt")) {
        to = (1u << lane) - 1;
    } else {
        parallax_host::machine.lacks(text);
    }
}

/// Arithmetic of halfs in double: exact of two; of three it may be rounded once too often.
template <class... More>
void parallax_ptx(const char* text, unsigned short& to, unsigned short a, unsigned short b,
                  More... more) {
    using parallax_host::begins;
    const double x = parallax_host::float_of_half(a), y = parallax_host::float_of_half(b);
    double made = 0;
    if constexpr (sizeof...(More) == 1) {
        if (!begins(text, "fma.rn.f16")) return parallax_host::machine.lacks(text);
        made = x * y + (parallax_host::float_of_half(more) + ...);
    } else if (begins(text, "add.f16")) {
        made = x + y;
    } else if (begins(text, "sub.f16")) {
        made = x - y;
    } else if (begins(text, "mul.f16")) {
        made = x * y;
    } else {
        return parallax_host::machine.lacks(text);
    }
    to = parallax_host::half_of(made, 0);
}

/// Fences and hints: nothing that one thread would notice.
inline void parallax_ptx(const char*) {}
