// Mathematical and common functions. sections.hpp says what the markers mean.
// == acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi erf erfc exp exp2 exp10 expm1 fabs
//    floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma
//    trunc: each; for floats; CUDA has float double
__device__ T NAME(T a);
// == atan2 copysign fdim fmod hypot pow remainder: each; for floats; CUDA has float double
__device__ T NAME(T a, T b);
// A half has no such function by way of float: the next half is not the next float.
// == nextafter: for float double; CUDA has all
__device__ T nextafter(T a, T b);
// == fmax fmin: each; for floats; CUDA has float double; also (T, one T)
__device__ T NAME(T a, T b);
// == fma: for floats; CUDA has float double half
__device__ T fma(T a, T b, T c);
// == ldexp: for floats; CUDA has float double; also (T, one int)
__device__ T ldexp(T a, int b);
// == ilogb: for floats; CUDA has float double
__device__ int ilogb(T a);
// == frexp: for floats; CUDA has float double
__device__ T frexp(T a, int* b);
// == modf: for floats; CUDA has float double
__device__ T modf(T a, T* b);
// == acospi(acos) asinpi(asin) atanpi(atan): each; for floats
__device__ inline T NAME(T a) { return BASE(a) / (T)(3.141592653589793); }
// == atan2pi: for floats
__device__ inline T atan2pi(T a, T b) { return atan2(a, b) / (T)(3.141592653589793); }
// == tanpi: for floats
__device__ inline T tanpi(T a) { return sinpi(a) / cospi(a); }
// == fract: for float double
__device__ inline T fract(T a, T* b) {
    const T whole = floor(a);
    *b = whole;
    if (isnan(a)) return a;
    if (isinf(a)) return copysign((T)(0), a);
    return fmin(a - whole, (T)(1) - (T)(half_epsilon_T));
}
// == fract: for half
__device__ inline T fract(T a, T* b) {
    float whole;
    const float rest = fract(float(a), &whole);
    *b = half(whole);
    return half(fmin(rest, 0x1.ffcp-1f));
}
// == lgamma_r: for floats
__device__ inline T lgamma_r(T a, int* b) {
    const T whole = floor(a);
    *b = a < 0 && whole != a && fmod(whole, (T)(2)) != 0 ? -1 : 1;
    return lgamma(a);
}
// == mad: for floats
__device__ inline T mad(T a, T b, T c) { return a * b + c; }
// == maxmag: for floats
__device__ inline T maxmag(T a, T b) {
    return fabs(a) > fabs(b) ? a : fabs(b) > fabs(a) ? b : fmax(a, b);
}
// == minmag: for floats
__device__ inline T minmag(T a, T b) {
    return fabs(a) < fabs(b) ? a : fabs(b) < fabs(a) ? b : fmin(a, b);
}
// == nan: for uint
__device__ inline float_T nan(T a) { return __uint_as_float(0x7fc00000u | (a & 0x3fffffu)); }
// == nan: for ulong
__device__ inline float_T nan(T a) {
    return __longlong_as_double(0x7ff8000000000000ull | (a & 0x7ffffffffffffull));
}
// A float cannot hold every int beyond 2^24, and the last bit of the int decides the sign.
// == pown: for floats
__device__ inline T pown(T a, int b) {
    const bool small = b >= -16777216 && b <= 16777216;
    const T power = small ? pow(fabs(a), (T)(b)) : (T)(pow(double(fabs(a)), double(b)));
    return b & 1 ? copysign(power, a) : power;
}
// == powr: for floats
__device__ inline T powr(T a, T b) {
    const bool unclear = a < 0 || isnan(a) || isnan(b) || (b == 0 && (a == 0 || isinf(a))) ||
                         (a == 1 && isinf(b));
    return unclear ? (T)(__int_as_float(0x7fc00000)) : pow(fabs(a), b);
}
// OpenCL wants seven bits of the quotient, and CUDA's function keeps three.
// == remquo: for floats
__device__ inline T remquo(T a, T b, int* c) {
    *c = 0;
    if (isnan(a) || isnan(b) || isinf(a) || b == 0 || isinf(b)) return remainder(a, b);
    const T y = fabs(b);
    T x = isinf(128 * y) ? fabs(a) : fmod(fabs(a), 128 * y);
    int quotient = 0;
    for (int power = 64; power > 0; power /= 2) {
        const bool fits = x >= power * y;
        if (fits) x -= power * y;
        quotient += fits ? power : 0;
    }
    if (x > y - x || (x == y - x && (quotient & 1))) ++quotient;
    quotient &= 127;
    *c = signbit(a) != signbit(b) ? -quotient : quotient;
    return remainder(a, b);
}
// 1 / b is rounded by some e, which is put right: a^(y + e) is about a^y * (1 + e * log(a)).
// == rootn: for floats
__device__ inline T rootn(T a, int b) {
    if (b == 0 || (a < 0 && !(b & 1))) return (T)(__int_as_float(0x7fc00000));
    const T y = 1 / (T)(b), x = fabs(a);
    T root = pow(x, y);
    const bool plain = x > 0 && !isinf(x) && !isinf(root);
    if (plain) root = fma(root, fma(-(T)(b), y, (T)(1)) / (T)(b) * log(x), root);
    return b & 1 ? copysign(root, a) : root;
}
// == sincos: for floats
__device__ inline T sincos(T a, T* b) {
    T sine;
    sincos(a, &sine, b);
    return sine;
}
// OpenCL lets these be less exact; the plain functions are exact enough.
// == half_cos(cos) half_exp(exp) half_exp2(exp2) half_exp10(exp10) half_log(log) half_log2(log2)
//    half_log10(log10) half_rsqrt(rsqrt) half_sin(sin) half_sqrt(sqrt) half_tan(tan): each;
//    for float
__device__ inline T NAME(T a) { return BASE(a); }
// == half_divide: for float
__device__ inline T half_divide(T a, T b) { return a / b; }
// == half_powr: for float
__device__ inline T half_powr(T a, T b) { return pow(a, b); }
// == half_recip: for float
__device__ inline T half_recip(T a) { return 1.0f / a; }

// == native_cos(__cosf) native_exp(__expf) native_exp10(__exp10f) native_log(__logf)
//    native_log2(__log2f) native_log10(__log10f) native_rsqrt(rsqrtf) native_sin(__sinf)
//    native_tan(__tanf): each; for float
__device__ inline T NAME(T a) { return BASE(a); }
// == native_divide(__fdividef) native_powr(__powf): each; for float
__device__ inline T NAME(T a, T b) { return BASE(a, b); }
// == native_recip: for float
__device__ inline T native_recip(T a) { return __fdividef(1.0f, a); }
// == native_exp2: for float
__device__ inline T native_exp2(T a) {
    float power;
    asm("ex2.approx.f32 %0, %1;" : "=f"(power) : "f"(a));
    return power;
}
// == native_sqrt: for float
__device__ inline T native_sqrt(T a) {
    float root;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(a));
    return root;
}

// == min: for integers floats; CUDA has int uint long ulong float double; also (T, one T)
__device__ inline T min(T a, T b) { return (T)(b < a ? b : a); }
// == max: for integers floats; CUDA has int uint long ulong float double; also (T, one T)
__device__ inline T max(T a, T b) { return (T)(a < b ? b : a); }
// == clamp: for integers floats; also (T, one T, one T)
__device__ inline T clamp(T a, T b, T c) { return (T)(min(max(a, b), c)); }
// == degrees: for floats
__device__ inline T degrees(T a) { return a * (T)(57.29577951308232); }
// == radians: for floats
__device__ inline T radians(T a) { return a * (T)(0.017453292519943295); }
// == mix: for floats; also (T, T, one T)
__device__ inline T mix(T a, T b, T c) { return a + (b - a) * c; }
// == sign: for floats
__device__ inline T sign(T a) { return a > 0 ? (T)(1) : a < 0 ? (T)(-1) : a == 0 ? a : (T)(0); }
// == step: for floats; also (one T, T)
__device__ inline T step(T a, T b) { return b < a ? (T)(0) : (T)(1); }
// == smoothstep: for floats; also (one T, one T, T)
__device__ inline T smoothstep(T a, T b, T c) {
    const T t = fmin(fmax((c - a) / (b - a), (T)(0)), (T)(1));
    return t * t * (3 - 2 * t);
}
