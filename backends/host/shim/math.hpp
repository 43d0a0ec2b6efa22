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
/// Those that a C library lacks; `double_of` is of `x`, in double for floats, too.
#define PARALLAX_MADE_1(name, double_of)                         \
    inline double name(double x) {                               \
        return double_of;                                        \
    }                                                            \
    inline float name(float x) {                                 \
        return static_cast<float>(name(static_cast<double>(x))); \
    }                                                            \
    inline float name##f(float x) {                              \
        return name(x);                                          \
    }
namespace parallax_host {
/// The sine of pi * (x + ahead / 2).
inline double sine_of_turns(double x, int ahead) {
    const double r = __builtin_fmod(x, 2), n = __builtin_rint(2 * r);
    if (r != r) return r;
    const double rest = 3.14159265358979323846 * __builtin_fma(-0.5, n, r);
    const int way = static_cast<int>(n) + ahead;
    const double size = way & 1 ? __builtin_cos(rest) : __builtin_sin(rest);
    return way & 2 ? -size : size;
}
}  // namespace parallax_host
PARALLAX_MADE_1(sinpi, __builtin_floor(x) == x ? __builtin_copysign(x - x, x)
                                               : parallax_host::sine_of_turns(x, 0))
PARALLAX_MADE_1(cospi, parallax_host::sine_of_turns(x, 1) + 0.0)
PARALLAX_MADE_1(rsqrt, 1 / __builtin_sqrt(x))
PARALLAX_MADE_1(rcbrt, 1 / __builtin_cbrt(x))
PARALLAX_MADE_1(normcdf, 0.5 * __builtin_erfc(-0.70710678118654752440 * x))
inline double rhypot(double x, double y) {
    return 1 / hypot(x, y);
}
inline float rhypotf(float x, float y) {
    return static_cast<float>(rhypot(x, y));
}
inline float rhypot(float x, float y) {
    return rhypotf(x, y);
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
inline int abs(int x) {
    return x < 0 ? -x : x;
}
inline long abs(long x) {
    return x < 0 ? -x : x;
}
inline long long abs(long long x) {
    return x < 0 ? -x : x;
}
inline long labs(long x) {
    return abs(x);
}
inline long long llabs(long long x) {
    return abs(x);
}
inline float abs(float x) {
    return __builtin_fabsf(x);
}
inline double abs(double x) {
    return __builtin_fabs(x);
}

// CUDA's overloads, and no more: a vector must find the prelude's. For floats they ignore a NaN,
// and -0 is below 0.
namespace parallax_host {
template <class T>
T least(T a, T b) {
    return b != b || a < b || (a == b && __builtin_signbit(a)) ? a : b;
}
}  // namespace parallax_host
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
#define PARALLAX_ORDER_OF_FLOATS(left, right, type, least_name, most_name)                \
    inline type least_name(left a, right b) {                                             \
        return parallax_host::least<type>(a, b);                                          \
    }                                                                                     \
    inline type most_name(left a, right b) {                                              \
        return -parallax_host::least<type>(-static_cast<type>(a), -static_cast<type>(b)); \
    }
PARALLAX_ORDER_OF_FLOATS(float, float, float, fminf, fmaxf)
PARALLAX_ORDER_OF_FLOATS(float, float, float, fmin, fmax)
PARALLAX_ORDER_OF_FLOATS(double, double, double, fmin, fmax)
PARALLAX_ORDER_OF_FLOATS(float, float, float, min, max)
PARALLAX_ORDER_OF_FLOATS(double, double, double, min, max)
PARALLAX_ORDER_OF_FLOATS(float, double, double, min, max)
PARALLAX_ORDER_OF_FLOATS(double, float, double, min, max)
inline unsigned umin(unsigned a, unsigned b) {
    return min(a, b);
}
inline unsigned umax(unsigned a, unsigned b) {
    return max(a, b);
}
inline long long llmin(long long a, long long b) {
    return min(a, b);
}
inline long long llmax(long long a, long long b) {
    return max(a, b);
}
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return min(a, b);
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return max(a, b);
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
    return static_cast<float>(1 / __builtin_sqrt(x));
}

// Rounding modes, their order and the functions that round so to whole numbers, which need no mode.
#define PARALLAX_ROUNDINGS(each) \
    each(rn, 0, rint) each(rd, 1, floor) each(ru, 2, ceil) each(rz, 3, trunc)
/// `made` of the parameters in a mode. The intrinsics are never contracted.
#define PARALLAX_ROUNDED(to, name, mode, way, parameters, made)                          \
    inline to name##_##mode parameters {                                                 \
        using parallax_host::held;                                                       \
        return parallax_host::in_mode(way, [&] { return held(static_cast<to>(made)); }); \
    }
#define PARALLAX_ROUNDED_FROM(from_name, from, to, mode, way) \
    PARALLAX_ROUNDED(to, __##from_name##2##to, mode, way, (from x), held(x))
#define PARALLAX_ROUNDED_INTEGER(from, to_name, to, mode, whole) \
    inline to __##from##2##to_name##_##mode(from x) {            \
        return parallax_host::saturated<to>(whole(x));           \
    }
#define PARALLAX_ARITHMETIC(type, letter, mode, way)                                        \
    PARALLAX_ROUNDED(type, __##letter##add, mode, way, (type a, type b), held(a) + held(b)) \
    PARALLAX_ROUNDED(type, __##letter##sub, mode, way, (type a, type b), held(a) - held(b)) \
    PARALLAX_ROUNDED(type, __##letter##mul, mode, way, (type a, type b), held(a) * held(b)) \
    PARALLAX_ROUNDED(type, __##letter##div, mode, way, (type a, type b), held(a) / held(b)) \
    PARALLAX_ROUNDED(type, __##letter##rcp, mode, way, (type a), 1 / held(a))
#define PARALLAX_CONVERSIONS(mode, way, whole)                                        \
    PARALLAX_ROUNDED_FROM(int, int, float, mode, way)                                 \
    PARALLAX_ROUNDED_FROM(uint, unsigned, float, mode, way)                           \
    PARALLAX_ROUNDED_FROM(ll, long long, float, mode, way)                            \
    PARALLAX_ROUNDED_FROM(ull, unsigned long long, float, mode, way)                  \
    PARALLAX_ROUNDED_FROM(ll, long long, double, mode, way)                           \
    PARALLAX_ROUNDED_FROM(ull, unsigned long long, double, mode, way)                 \
    PARALLAX_ROUNDED_FROM(double, double, float, mode, way)                           \
    PARALLAX_ROUNDED_INTEGER(float, int, int, mode, whole)                            \
    PARALLAX_ROUNDED_INTEGER(float, uint, unsigned, mode, whole)                      \
    PARALLAX_ROUNDED_INTEGER(float, ll, long long, mode, whole)                       \
    PARALLAX_ROUNDED_INTEGER(float, ull, unsigned long long, mode, whole)             \
    PARALLAX_ROUNDED_INTEGER(double, int, int, mode, whole)                           \
    PARALLAX_ROUNDED_INTEGER(double, uint, unsigned, mode, whole)                     \
    PARALLAX_ROUNDED_INTEGER(double, ll, long long, mode, whole)                      \
    PARALLAX_ROUNDED_INTEGER(double, ull, unsigned long long, mode, whole)            \
    PARALLAX_ARITHMETIC(float, f, mode, way)                                          \
    PARALLAX_ARITHMETIC(double, d, mode, way)                                         \
    PARALLAX_ROUNDED(float, __fsqrt, mode, way, (float a), __builtin_sqrtf(held(a)))  \
    PARALLAX_ROUNDED(double, __dsqrt, mode, way, (double a), __builtin_sqrt(held(a))) \
    PARALLAX_ROUNDED(float, __fmaf, mode, way, (float a, float b, float c),           \
                     __builtin_fmaf(held(a), held(b), held(c)))                       \
    PARALLAX_ROUNDED(float, __fmaf_ieee, mode, way, (float a, float b, float c),      \
                     __builtin_fmaf(held(a), held(b), held(c)))                       \
    PARALLAX_ROUNDED(double, __fma, mode, way, (double a, double b, double c),        \
                     __builtin_fma(held(a), held(b), held(c)))
PARALLAX_ROUNDINGS(PARALLAX_CONVERSIONS)
inline double __int2double_rn(int x) {
    return x;
}
inline double __uint2double_rn(unsigned x) {
    return x;
}
// Two steps, each with an answer of its own beyond the type.
#define PARALLAX_TO_LONG(type, suffix, from)   \
    inline long lrint##suffix(type x) {        \
        return __##from##2ll_rn(x);            \
    }                                          \
    inline long long llrint##suffix(type x) {  \
        return __##from##2ll_rn(x);            \
    }                                          \
    inline long lround##suffix(type x) {       \
        return __##from##2ll_rz(round(x));     \
    }                                          \
    inline long long llround##suffix(type x) { \
        return __##from##2ll_rz(round(x));     \
    }
PARALLAX_TO_LONG(float, f, float)
PARALLAX_TO_LONG(float, , float)
PARALLAX_TO_LONG(double, , double)
