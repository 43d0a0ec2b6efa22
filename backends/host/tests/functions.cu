// CUDA's functions whose answers the host gives, bit by bit or nearly, and a kernel that calls each of them.
// function_table.cu runs the kernel on a GPU, and function_table_test.cpp on the host.

// Each row is E1, E2 or E3(result, function, types of its arguments), or N1 and N2 where CUDA promises
// some units in the last place only.
#define FOUR_WAYS(E, result, name, ...) \
    E(result, name##_rn, __VA_ARGS__) E(result, name##_rz, __VA_ARGS__) E(result, name##_ru, __VA_ARGS__) \
    E(result, name##_rd, __VA_ARGS__)
#define TO_INTEGERS(E1, from, type) \
    FOUR_WAYS(E1, int, __##from##2int, type) FOUR_WAYS(E1, unsigned, __##from##2uint, type) \
    FOUR_WAYS(E1, long long, __##from##2ll, type) FOUR_WAYS(E1, unsigned long long, __##from##2ull, type)
#define CONVERSIONS(E1) \
    TO_INTEGERS(E1, float, float) TO_INTEGERS(E1, double, double) FOUR_WAYS(E1, float, __int2float, int) \
    FOUR_WAYS(E1, float, __uint2float, unsigned) FOUR_WAYS(E1, float, __ll2float, long long) \
    FOUR_WAYS(E1, float, __ull2float, unsigned long long) FOUR_WAYS(E1, double, __ll2double, long long) \
    FOUR_WAYS(E1, double, __ull2double, unsigned long long) FOUR_WAYS(E1, float, __double2float, double) \
    E1(double, __int2double_rn, int) E1(double, __uint2double_rn, unsigned) \
    E1(unsigned short, float_to_half_rn, float) E1(unsigned short, float_to_half_rz, float) \
    E1(unsigned short, double_to_half, double) E1(float, half_to_float, unsigned) E1(int, __float_as_int, float) \
    E1(unsigned, __float_as_uint, float) E1(float, __int_as_float, int) E1(float, __uint_as_float, unsigned) \
    E1(long long, __double_as_longlong, double) E1(double, __longlong_as_double, long long) \
    E1(int, __double2hiint, double) E1(int, __double2loint, double)
#define ARITHMETIC(E1, E2, E3) \
    FOUR_WAYS(E2, float, __fadd, float, float) FOUR_WAYS(E2, float, __fsub, float, float) \
    FOUR_WAYS(E2, float, __fmul, float, float) FOUR_WAYS(E2, float, __fdiv, float, float) \
    FOUR_WAYS(E1, float, __frcp, float) FOUR_WAYS(E1, float, __fsqrt, float) \
    FOUR_WAYS(E3, float, __fmaf, float, float, float) FOUR_WAYS(E3, float, __fmaf_ieee, float, float, float) \
    FOUR_WAYS(E2, double, __dadd, double, double) FOUR_WAYS(E2, double, __dsub, double, double) \
    FOUR_WAYS(E2, double, __dmul, double, double) FOUR_WAYS(E2, double, __ddiv, double, double) \
    FOUR_WAYS(E1, double, __drcp, double) FOUR_WAYS(E1, double, __dsqrt, double) \
    FOUR_WAYS(E3, double, __fma, double, double, double) E1(float, __frsqrt_rn, float) E1(float, __saturatef, float) \
    E3(float, fmaf, float, float, float) E3(float, fma, float, float, float) E3(double, fma, double, double, double) \
    E2(double, __hiloint2double, int, int)
#define LEAST_AND_MOST(E2, result, a, b) E2(result, min, a, b) E2(result, max, a, b)
#define ORDERS(E2, T) \
    LEAST_AND_MOST(E2, T, T, T) LEAST_AND_MOST(E2, unsigned T, unsigned T, unsigned T) \
    LEAST_AND_MOST(E2, unsigned T, T, unsigned T) LEAST_AND_MOST(E2, unsigned T, unsigned T, T)
#define COMPARISONS(E1, E2) \
    ORDERS(E2, int) ORDERS(E2, long) ORDERS(E2, long long) LEAST_AND_MOST(E2, float, float, float) \
    LEAST_AND_MOST(E2, double, double, double) LEAST_AND_MOST(E2, double, float, double) \
    LEAST_AND_MOST(E2, double, double, float) E2(float, fminf, float, float) E2(float, fmaxf, float, float) \
    E2(float, fmin, float, float) E2(float, fmax, float, float) E2(double, fmin, double, double) \
    E2(double, fmax, double, double) E2(float, fdimf, float, float) E2(double, fdim, double, double) \
    E2(unsigned, umin, unsigned, unsigned) E2(unsigned, umax, unsigned, unsigned) \
    E2(long long, llmin, long long, long long) E2(long long, llmax, long long, long long) \
    E2(unsigned long long, ullmin, unsigned long long, unsigned long long) \
    E2(unsigned long long, ullmax, unsigned long long, unsigned long long) E1(int, abs, int) E1(long, abs, long) \
    E1(long long, abs, long long) E1(float, abs, float) E1(double, abs, double) E1(long, labs, long) \
    E1(long long, llabs, long long) E1(float, fabsf, float) E1(float, fabs, float) E1(double, fabs, double) \
    E1(int, isnan_of, float) E1(int, isnan_of, double) E1(int, isinf_of, float) E1(int, isinf_of, double) \
    E1(int, isfinite_of, float) E1(int, isfinite_of, double) E1(int, signbit_of, float) E1(int, signbit_of, double)
#define ROUNDINGS(E1, E2) \
    E1(float, rintf, float) E1(float, nearbyintf, float) E1(float, roundf, float) E1(float, truncf, float) \
    E1(float, floorf, float) E1(float, ceilf, float) E1(float, rint, float) E1(float, round, float) \
    E1(double, rint, double) E1(double, nearbyint, double) E1(double, round, double) E1(double, trunc, double) \
    E1(double, floor, double) E1(double, ceil, double) E1(long, lrintf, float) E1(long, lrint, double) \
    E1(long long, llrintf, float) E1(long long, llrint, double) E1(long, lroundf, float) E1(long, lround, double) \
    E1(long long, llroundf, float) E1(long long, llround, double) E2(float, copysignf, float, float) \
    E2(double, copysign, double, double) E2(float, nextafterf, float, float) E2(double, nextafter, double, double) \
    E2(float, fmodf, float, float) E2(double, fmod, double, double) E2(float, remainderf, float, float) \
    E2(double, remainder, double, double) E2(int, remquo_bits, float, float) E2(int, remquo_bits, double, double) \
    E2(float, ldexpf, float, int) E2(double, ldexp, double, int) E2(float, scalbnf, float, int) \
    E2(double, scalbn, double, int) E1(float, frexp_fraction, float) E1(double, frexp_fraction, double) \
    E1(int, frexp_exponent, float) E1(int, frexp_exponent, double) E1(float, modf_fraction, float) \
    E1(double, modf_fraction, double) E1(float, modf_whole, float) E1(double, modf_whole, double) \
    E1(int, ilogbf, float) E1(int, ilogb, double) E1(float, logbf, float) E1(double, logb, double) \
    E1(float, sqrtf, float) E1(double, sqrt, double)
#define BITS(E1, E2, E3) \
    E1(int, __clz, int) E1(int, __clzll, long long) E1(int, __popc, unsigned) E1(int, __popcll, unsigned long long) \
    E1(int, __ffs, int) E1(int, __ffsll, long long) E1(unsigned, __brev, unsigned) \
    E1(unsigned long long, __brevll, unsigned long long) E2(int, __mulhi, int, int) \
    E2(unsigned, __umulhi, unsigned, unsigned) E2(long long, __mul64hi, long long, long long) \
    E2(unsigned long long, __umul64hi, unsigned long long, unsigned long long) E2(int, __mul24, int, int) \
    E2(unsigned, __umul24, unsigned, unsigned) E2(int, __hadd, int, int) E2(int, __rhadd, int, int) \
    E2(unsigned, __uhadd, unsigned, unsigned) E2(unsigned, __urhadd, unsigned, unsigned) \
    E3(unsigned, __sad, int, int, unsigned) E3(unsigned, __usad, unsigned, unsigned, unsigned) \
    E3(unsigned, __byte_perm, unsigned, unsigned, unsigned) \
    E3(unsigned, __funnelshift_l, unsigned, unsigned, unsigned) \
    E3(unsigned, __funnelshift_r, unsigned, unsigned, unsigned) \
    E3(unsigned, __funnelshift_lc, unsigned, unsigned, unsigned) \
    E3(unsigned, __funnelshift_rc, unsigned, unsigned, unsigned) E3(unsigned, __fns, unsigned, unsigned, int) \
    E3(int, __dp4a, int, int, int) E3(unsigned, __dp4a, unsigned, unsigned, unsigned) \
    E3(int, __dp2a_lo, int, int, int) E3(unsigned, __dp2a_lo, unsigned, unsigned, unsigned) \
    E3(int, __dp2a_hi, int, int, int) E3(unsigned, __dp2a_hi, unsigned, unsigned, unsigned)
#define OF_PARTS(E1, E2, n) \
    E1(unsigned, __vabs##n, unsigned) E1(unsigned, __vabsss##n, unsigned) E1(unsigned, __vneg##n, unsigned) \
    E1(unsigned, __vnegss##n, unsigned) E2(unsigned, __vabsdiffs##n, unsigned, unsigned) \
    E2(unsigned, __vabsdiffu##n, unsigned, unsigned) E2(unsigned, __vadd##n, unsigned, unsigned) \
    E2(unsigned, __vaddss##n, unsigned, unsigned) E2(unsigned, __vaddus##n, unsigned, unsigned) \
    E2(unsigned, __vsub##n, unsigned, unsigned) E2(unsigned, __vsubss##n, unsigned, unsigned) \
    E2(unsigned, __vsubus##n, unsigned, unsigned) E2(unsigned, __vavgs##n, unsigned, unsigned) \
    E2(unsigned, __vavgu##n, unsigned, unsigned) E2(unsigned, __vhaddu##n, unsigned, unsigned) \
    E2(unsigned, __vmaxs##n, unsigned, unsigned) E2(unsigned, __vmaxu##n, unsigned, unsigned) \
    E2(unsigned, __vmins##n, unsigned, unsigned) E2(unsigned, __vminu##n, unsigned, unsigned) \
    E2(unsigned, __vsads##n, unsigned, unsigned) E2(unsigned, __vsadu##n, unsigned, unsigned) \
    ORDERS_OF_PARTS(E2, __vcmp, n) ORDERS_OF_PARTS(E2, __vset, n)
#define ORDERS_OF_PARTS(E2, name, n) \
    E2(unsigned, name##eq##n, unsigned, unsigned) E2(unsigned, name##ne##n, unsigned, unsigned) \
    E2(unsigned, name##ges##n, unsigned, unsigned) E2(unsigned, name##geu##n, unsigned, unsigned) \
    E2(unsigned, name##gts##n, unsigned, unsigned) E2(unsigned, name##gtu##n, unsigned, unsigned) \
    E2(unsigned, name##les##n, unsigned, unsigned) E2(unsigned, name##leu##n, unsigned, unsigned) \
    E2(unsigned, name##lts##n, unsigned, unsigned) E2(unsigned, name##ltu##n, unsigned, unsigned)
#define OF_THREE(E3, name) \
    E3(int, name##_s32, int, int, int) E3(int, name##_s32_relu, int, int, int) \
    E3(unsigned, name##_u32, unsigned, unsigned, unsigned) E3(unsigned, name##_s16x2, unsigned, unsigned, unsigned) \
    E3(unsigned, name##_s16x2_relu, unsigned, unsigned, unsigned) \
    E3(unsigned, name##_u16x2, unsigned, unsigned, unsigned)
#define RELU(E2, name) \
    E2(int, name##_s32_relu, int, int) E2(unsigned, name##_s16x2_relu, unsigned, unsigned)
#define WORDS_OF_PARTS(E1, E2, E3) \
    OF_PARTS(E1, E2, 2) OF_PARTS(E1, E2, 4) OF_THREE(E3, __vimax3) OF_THREE(E3, __vimin3) OF_THREE(E3, __viaddmax) \
    OF_THREE(E3, __viaddmin) RELU(E2, __vimax) RELU(E2, __vimin)
#define NEARLY_FOR(N1, N2, T, f) \
    N1(T, acos##f, T) N1(T, acosh##f, T) N1(T, asin##f, T) N1(T, asinh##f, T) N1(T, atan##f, T) N1(T, atanh##f, T) \
    N1(T, cbrt##f, T) N1(T, cos##f, T) N1(T, cosh##f, T) N1(T, cospi##f, T) N1(T, erf##f, T) N1(T, erfc##f, T) \
    N1(T, exp##f, T) N1(T, exp10##f, T) N1(T, exp2##f, T) N1(T, expm1##f, T) N1(T, lgamma##f, T) N1(T, log##f, T) \
    N1(T, log10##f, T) N1(T, log1p##f, T) N1(T, log2##f, T) N1(T, normcdf##f, T) N1(T, rcbrt##f, T) \
    N1(T, rsqrt##f, T) N1(T, sin##f, T) N1(T, sinh##f, T) N1(T, sinpi##f, T) N1(T, tan##f, T) N1(T, tanh##f, T) \
    N1(T, tgamma##f, T) N2(T, atan2##f, T, T) N2(T, hypot##f, T, T) N2(T, rhypot##f, T, T) N2(T, pow##f, T, T)
#define FUNCTIONS(E1, E2, E3, N1, N2) \
    CONVERSIONS(E1) ARITHMETIC(E1, E2, E3) COMPARISONS(E1, E2) ROUNDINGS(E1, E2) BITS(E1, E2, E3) \
    WORDS_OF_PARTS(E1, E2, E3) NEARLY_FOR(N1, N2, float, f) NEARLY_FOR(N1, N2, double, )

#ifdef __CUDACC__
#define HALF(way, mode) \
    __device__ unsigned short float_to_half_##way(float x) { \
        unsigned short y; \
        asm("cvt." mode ".f16.f32 %0, %1;" : "=h"(y) : "f"(x)); \
        return y; \
    }
HALF(rn, "rn")
HALF(rz, "rz")
__device__ unsigned short double_to_half(double x) {
    unsigned short y;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(y) : "d"(x));
    return y;
}
__device__ float half_to_float(unsigned x) {
    float y;
    asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"((unsigned short)x));
    return y;
}
#define PARTS_OF(T) \
    __device__ int isnan_of(T x) { \
        return isnan(x); \
    } \
    __device__ int isinf_of(T x) { \
        return isinf(x); \
    } \
    __device__ int isfinite_of(T x) { \
        return isfinite(x); \
    } \
    __device__ int signbit_of(T x) { \
        return signbit(x) != 0; \
    } \
    __device__ int remquo_bits(T x, T y) { \
        int n = 0; \
        T r = remquo(x, y, &n); \
        return r != r ? -1 : n & 7; \
    } \
    __device__ T frexp_fraction(T x) { \
        int n = 0; \
        return frexp(x, &n); \
    } \
    __device__ int frexp_exponent(T x) { \
        int n = 0; \
        T r = frexp(x, &n); \
        return r - r == 0 ? n : 0; \
    } \
    __device__ T modf_fraction(T x) { \
        T n = 0; \
        return modf(x, &n); \
    } \
    __device__ T modf_whole(T x) { \
        T n = 0; \
        modf(x, &n); \
        return n; \
    }
PARTS_OF(float)
PARTS_OF(double)

template <class T>
__device__ T value_of(unsigned long long bits) {
    return *(const T*)&bits;
}
template <class T>
__device__ unsigned long long bits_of(T value) {
    unsigned long long bits = 0;
    *(T*)&bits = value;
    return bits;
}

/// The function that is `which` among all, of each of `n` arguments.
extern "C" __global__ void functions(int which, const unsigned long long* a, const unsigned long long* b,
                                     const unsigned long long* c, unsigned long long* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = 0;
#define KEEP(R, ...) \
    if (which == at++) { \
        const R result = __VA_ARGS__; \
        out[i] = bits_of(result); \
    }
#define E1(R, f, A) KEEP(R, f(value_of<A>(a[i])))
#define E2(R, f, A, B) KEEP(R, f(value_of<A>(a[i]), value_of<B>(b[i])))
#define E3(R, f, A, B, C) KEEP(R, f(value_of<A>(a[i]), value_of<B>(b[i]), value_of<C>(c[i])))
    FUNCTIONS(E1, E2, E3, E1, E2)
#undef KEEP
#undef E1
#undef E2
#undef E3
}
#endif
