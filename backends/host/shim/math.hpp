// CUDA's mathematical functions and conversions for cuda.hpp, which includes it.
#pragma once

// Functions of one, two and three floating-point numbers, with their three names each.
#define PARALLAX_MATH_1(name)          \
    inline float name##f(float x) {    \
        return __builtin_##name##f(x); \
    }                                  \
    inline float name(float x) {       \
        return __builtin_##name##f(x); \
    }                                  \
    inline double name(double x) {     \
        return __builtin_##name(x);    \
    }
#define PARALLAX_MATH_2(name)                \
    inline float name##f(float x, float y) { \
        return __builtin_##name##f(x, y);    \
    }                                        \
    inline float name(float x, float y) {    \
        return __builtin_##name##f(x, y);    \
    }                                        \
    inline double name(double x, double y) { \
        return __builtin_##name(x, y);       \
    }
PARALLAX_MATH_1(acos)
PARALLAX_MATH_1(acosh)
PARALLAX_MATH_1(asin)
PARALLAX_MATH_1(asinh)
PARALLAX_MATH_1(atan)
PARALLAX_MATH_1(atanh)
PARALLAX_MATH_1(cbrt)
PARALLAX_MATH_1(ceil)
PARALLAX_MATH_1(cos)
PARALLAX_MATH_1(cosh)
PARALLAX_MATH_1(erf)
PARALLAX_MATH_1(erfc)
PARALLAX_MATH_1(exp)
PARALLAX_MATH_1(exp2)
PARALLAX_MATH_1(expm1)
PARALLAX_MATH_1(fabs)
PARALLAX_MATH_1(floor)
PARALLAX_MATH_1(lgamma)
PARALLAX_MATH_1(log)
PARALLAX_MATH_1(log10)
PARALLAX_MATH_1(log1p)
PARALLAX_MATH_1(log2)
PARALLAX_MATH_1(logb)
PARALLAX_MATH_1(nearbyint)
PARALLAX_MATH_1(rint)
PARALLAX_MATH_1(round)
PARALLAX_MATH_1(sin)
PARALLAX_MATH_1(sinh)
PARALLAX_MATH_1(sqrt)
PARALLAX_MATH_1(tan)
PARALLAX_MATH_1(tanh)
PARALLAX_MATH_1(tgamma)
PARALLAX_MATH_1(trunc)
PARALLAX_MATH_2(atan2)
PARALLAX_MATH_2(copysign)
PARALLAX_MATH_2(fdim)
PARALLAX_MATH_2(fmax)
PARALLAX_MATH_2(fmin)
PARALLAX_MATH_2(fmod)
PARALLAX_MATH_2(hypot)
PARALLAX_MATH_2(nextafter)
PARALLAX_MATH_2(pow)
PARALLAX_MATH_2(remainder)

// clang has no built-in for it.
extern "C" {
float parallax_exp10f(float) __asm__("exp10f");
double parallax_exp10(double) __asm__("exp10");
}
inline float exp10f(float x) {
    return parallax_exp10f(x);
}
inline float exp10(float x) {
    return parallax_exp10f(x);
}
inline double exp10(double x) {
    return parallax_exp10(x);
}

inline float fmaf(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
inline float fma(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
inline double fma(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}
inline float ldexpf(float x, int n) {
    return __builtin_ldexpf(x, n);
}
inline float ldexp(float x, int n) {
    return __builtin_ldexpf(x, n);
}
inline double ldexp(double x, int n) {
    return __builtin_ldexp(x, n);
}
inline float scalbnf(float x, int n) {
    return __builtin_scalbnf(x, n);
}
inline double scalbn(double x, int n) {
    return __builtin_scalbn(x, n);
}
/// The result that a C library function stores through a pointer, which instrumentation cannot see.
template <class T, class F>
auto parallax_stored(T* to, F compute) {
    T own;
    const auto result = compute(&own);
    *to = own;
    return result;
}
inline float frexpf(float x, int* n) {
    return parallax_stored(n, [&](auto* own) { return __builtin_frexpf(x, own); });
}
inline float frexp(float x, int* n) {
    return parallax_stored(n, [&](auto* own) { return __builtin_frexpf(x, own); });
}
inline double frexp(double x, int* n) {
    return parallax_stored(n, [&](auto* own) { return __builtin_frexp(x, own); });
}
inline float modff(float x, float* n) {
    return parallax_stored(n, [&](auto* own) { return __builtin_modff(x, own); });
}
inline float modf(float x, float* n) {
    return parallax_stored(n, [&](auto* own) { return __builtin_modff(x, own); });
}
inline double modf(double x, double* n) {
    return parallax_stored(n, [&](auto* own) { return __builtin_modf(x, own); });
}
inline float remquof(float x, float y, int* n) {
    return parallax_stored(n, [&](auto* own) { return __builtin_remquof(x, y, own); });
}
inline double remquo(double x, double y, int* n) {
    return parallax_stored(n, [&](auto* own) { return __builtin_remquo(x, y, own); });
}
inline int ilogbf(float x) {
    return __builtin_ilogbf(x);
}
inline int ilogb(float x) {
    return __builtin_ilogbf(x);
}
inline int ilogb(double x) {
    return __builtin_ilogb(x);
}
inline float rsqrtf(float x) {
    return 1 / __builtin_sqrtf(x);
}
inline float rsqrt(float x) {
    return 1 / __builtin_sqrtf(x);
}
inline double rsqrt(double x) {
    return 1 / __builtin_sqrt(x);
}
inline void sincosf(float x, float* s, float* c) {
    *s = sinf(x);
    *c = cosf(x);
}
inline void sincos(float x, float* s, float* c) {
    sincosf(x, s, c);
}
inline void sincos(double x, double* s, double* c) {
    *s = sin(x);
    *c = cos(x);
}
inline double sinpi(double x) {
    const double r = __builtin_fmod(x, 2);
    return __builtin_floor(r) == r ? __builtin_copysign(0.0, x)
                                   : __builtin_sin(3.141592653589793 * r);
}
inline double cospi(double x) {
    const double r = __builtin_fmod(__builtin_fabs(x), 2);
    return r == 0.5 || r == 1.5 ? 0.0 : __builtin_cos(3.141592653589793 * r);
}
inline float sinpi(float x) {
    return static_cast<float>(sinpi(static_cast<double>(x)));
}
inline float sinpif(float x) {
    return sinpi(x);
}
inline float cospi(float x) {
    return static_cast<float>(cospi(static_cast<double>(x)));
}
inline float cospif(float x) {
    return cospi(x);
}
inline float nanf(const char*) {
    return __builtin_nanf("");
}
inline double nan(const char*) {
    return __builtin_nan("");
}
inline bool isnan(float x) {
    return x != x;
}
inline bool isnan(double x) {
    return x != x;
}
inline bool isinf(float x) {
    return __builtin_isinf(x) != 0;
}
inline bool isinf(double x) {
    return __builtin_isinf(x) != 0;
}
inline bool isfinite(float x) {
    return __builtin_isfinite(x) != 0;
}
inline bool isfinite(double x) {
    return __builtin_isfinite(x) != 0;
}
inline bool signbit(float x) {
    return __builtin_signbit(x) != 0;
}
inline bool signbit(double x) {
    return __builtin_signbit(x) != 0;
}
inline long long llrint(double x) {
    return __builtin_llrint(x);
}
inline int abs(int x) {
    return x < 0 ? -x : x;
}
inline long long abs(long long x) {
    return x < 0 ? -x : x;
}
inline float abs(float x) {
    return __builtin_fabsf(x);
}
inline double abs(double x) {
    return __builtin_fabs(x);
}

// CUDA's overloads, and no more: a vector must find the prelude's. For floats they ignore a NaN.
#define PARALLAX_ORDER(left, right, type)                                          \
    inline type min(left a, right b) {                                             \
        return static_cast<type>(b) < static_cast<type>(a) ? static_cast<type>(b)  \
                                                           : static_cast<type>(a); \
    }                                                                              \
    inline type max(left a, right b) {                                             \
        return static_cast<type>(a) < static_cast<type>(b) ? static_cast<type>(b)  \
                                                           : static_cast<type>(a); \
    }
#define PARALLAX_ORDERS(number)                              \
    PARALLAX_ORDER(number, number, number)                   \
    PARALLAX_ORDER(number, unsigned number, unsigned number) \
    PARALLAX_ORDER(unsigned number, number, unsigned number) \
    PARALLAX_ORDER(unsigned number, unsigned number, unsigned number)
PARALLAX_ORDERS(int)
PARALLAX_ORDERS(long)
PARALLAX_ORDERS(long long)
inline float min(float a, float b) {
    return fminf(a, b);
}
inline float max(float a, float b) {
    return fmaxf(a, b);
}
inline double min(double a, double b) {
    return fmin(a, b);
}
inline double max(double a, double b) {
    return fmax(a, b);
}
inline double min(float a, double b) {
    return fmin(static_cast<double>(a), b);
}
inline double max(float a, double b) {
    return fmax(static_cast<double>(a), b);
}
inline double min(double a, float b) {
    return fmin(a, static_cast<double>(b));
}
inline double max(double a, float b) {
    return fmax(a, static_cast<double>(b));
}

// Fast variants.
inline float __fdividef(float a, float b) {
    return a / b;
}
inline float __sinf(float x) {
    return sinf(x);
}
inline float __cosf(float x) {
    return cosf(x);
}
inline float __tanf(float x) {
    return tanf(x);
}
inline float __expf(float x) {
    return expf(x);
}
inline float __exp10f(float x) {
    return exp10f(x);
}
inline float __logf(float x) {
    return logf(x);
}
inline float __log2f(float x) {
    return log2f(x);
}
inline float __log10f(float x) {
    return log10f(x);
}
inline float __powf(float x, float y) {
    return powf(x, y);
}
inline float __saturatef(float x) {
    return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}
inline float __frsqrt_rn(float x) {
    return rsqrtf(x);
}

// In the order of the rounding modes: nearest, down, up, towards zero.
#define PARALLAX_ROUNDINGS(each) each(rn, 0) each(rd, 1) each(ru, 2) each(rz, 3)
#define PARALLAX_ROUNDED_FROM(from_name, from, to_name, to, mode, way) \
    inline to __##from_name##2##to_name##_##mode(from x) {             \
        volatile from held = x;                                        \
        return parallax_host::in_mode(way, [&] {                       \
            volatile to made = static_cast<to>(held);                  \
            return static_cast<to>(made);                              \
        });                                                            \
    }
// glibc's rint uses the mode; out-of-range values saturate.
#define PARALLAX_ROUNDED_INTEGER(from_name, from, to_name, to, mode, way)           \
    inline to __##from_name##2##to_name##_##mode(from x) {                          \
        volatile from held = x;                                                     \
        const from whole = parallax_host::in_mode(                                  \
            way, [&] { return static_cast<from>(rint(static_cast<from>(held))); }); \
        return parallax_host::saturated<to>(whole);                                 \
    }
#define PARALLAX_CONVERSIONS(mode, way)                                        \
    PARALLAX_ROUNDED_FROM(int, int, float, float, mode, way)                   \
    PARALLAX_ROUNDED_FROM(uint, unsigned, float, float, mode, way)             \
    PARALLAX_ROUNDED_FROM(ll, long long, float, float, mode, way)              \
    PARALLAX_ROUNDED_FROM(ull, unsigned long long, float, float, mode, way)    \
    PARALLAX_ROUNDED_FROM(ll, long long, double, double, mode, way)            \
    PARALLAX_ROUNDED_FROM(ull, unsigned long long, double, double, mode, way)  \
    PARALLAX_ROUNDED_FROM(double, double, float, float, mode, way)             \
    PARALLAX_ROUNDED_INTEGER(float, float, int, int, mode, way)                \
    PARALLAX_ROUNDED_INTEGER(float, float, uint, unsigned, mode, way)          \
    PARALLAX_ROUNDED_INTEGER(float, float, ll, long long, mode, way)           \
    PARALLAX_ROUNDED_INTEGER(float, float, ull, unsigned long long, mode, way) \
    PARALLAX_ROUNDED_INTEGER(double, double, int, int, mode, way)              \
    PARALLAX_ROUNDED_INTEGER(double, double, uint, unsigned, mode, way)        \
    PARALLAX_ROUNDED_INTEGER(double, double, ll, long long, mode, way)         \
    PARALLAX_ROUNDED_INTEGER(double, double, ull, unsigned long long, mode, way)
PARALLAX_ROUNDINGS(PARALLAX_CONVERSIONS)
inline double __int2double_rn(int x) {
    return x;
}
inline double __uint2double_rn(unsigned x) {
    return x;
}
inline float __fadd_rn(float a, float b) {
    return a + b;
}
inline float __fsub_rn(float a, float b) {
    return a - b;
}
inline float __fmul_rn(float a, float b) {
    return a * b;
}
inline float __fdiv_rn(float a, float b) {
    return a / b;
}
inline float __fsqrt_rn(float a) {
    return sqrtf(a);
}
inline float __fmaf_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}
inline double __dadd_rn(double a, double b) {
    return a + b;
}
inline double __dsub_rn(double a, double b) {
    return a - b;
}
inline double __dmul_rn(double a, double b) {
    return a * b;
}
inline double __ddiv_rn(double a, double b) {
    return a / b;
}
inline double __dsqrt_rn(double a) {
    return sqrt(a);
}
inline double __fma_rn(double a, double b, double c) {
    return fma(a, b, c);
}
