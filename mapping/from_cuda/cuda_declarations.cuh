// What CUDA C++ declares for device code, for clang. A function without a body has a row in the
// mapping table; one with a body is translated as the source's own are.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline
#define __noinline__
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__

typedef signed char int8_t;
typedef unsigned char uint8_t, uchar;
typedef short int16_t;
typedef unsigned short uint16_t, ushort;
typedef int int32_t;
typedef unsigned int uint32_t, uint;
typedef long int64_t, intptr_t, ptrdiff_t, clock_t;
typedef unsigned long uint64_t, uintptr_t, size_t, ulong;
typedef int8_t int_least8_t, int_fast8_t;
typedef uint8_t uint_least8_t, uint_fast8_t;
typedef int16_t int_least16_t;
typedef uint16_t uint_least16_t;
typedef int32_t int_least32_t;
typedef uint32_t uint_least32_t;
typedef int64_t int_least64_t, int_fast16_t, int_fast32_t, int_fast64_t, intmax_t;
typedef uint64_t uint_least64_t, uint_fast16_t, uint_fast32_t, uint_fast64_t, uintmax_t;

// Vectors: aligned as CUDA aligns them.
#define VECTORS(T, name, align2, align4)                                               \
    struct name##1 { T x; };                                                           \
    struct __align__(align2) name##2 { T x, y; };                                      \
    struct name##3 { T x, y, z; };                                                     \
    struct __align__(align4) name##4 { T x, y, z, w; };                                \
    __device__ name##1 make_##name##1(T x);                                            \
    __device__ name##2 make_##name##2(T x, T y);                                       \
    __device__ name##3 make_##name##3(T x, T y, T z);                                  \
    __device__ name##4 make_##name##4(T x, T y, T z, T w);                             \
    __device__ name##2 __ldg(const name##2*);                                          \
    __device__ name##4 __ldg(const name##4*);                                          \
    __device__ T __ldg(const T*);
VECTORS(signed char, char, 2, 4)
VECTORS(unsigned char, uchar, 2, 4)
VECTORS(short, short, 4, 8)
VECTORS(unsigned short, ushort, 4, 8)
VECTORS(int, int, 8, 16)
VECTORS(unsigned int, uint, 8, 16)
VECTORS(long, long, 16, 16)
VECTORS(unsigned long, ulong, 16, 16)
VECTORS(long long, longlong, 16, 16)
VECTORS(unsigned long long, ulonglong, 16, 16)
VECTORS(float, float, 8, 16)
VECTORS(double, double, 16, 16)
__device__ char __ldg(const char*);

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1)
        : x(a), y(b), z(c) {}
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ struct { unsigned int x, y, z; } blockDim, gridDim;
extern const __device__ int warpSize;
struct cudaExtent { size_t width, height, depth; };
typedef float2 cuComplex, cuFloatComplex, cufftComplex;
typedef double2 cuDoubleComplex, cufftDoubleComplex;
typedef float cufftReal;
typedef double cufftDoubleReal;

// Functions of floats and doubles.
#define ONE(name)                   \
    __device__ double name(double); \
    __device__ float name(float);   \
    __device__ float name##f(float);
#define TWO(name)                                                                                 \
    __device__ double name(double, double);                                                       \
    __device__ float name(float, float);                                                          \
    __device__ float name##f(float, float);                                                       \
    __device__ double name(float, int) __attribute__((unavailable("NVCC computes it in double, " \
        "NVRTC in float: convert the whole number")));                                            \
    __device__ double name(int, float) __attribute__((unavailable("NVCC computes it in double, " \
        "NVRTC in float: convert the whole number")));
ONE(sqrt) ONE(rsqrt) ONE(cbrt) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(log) ONE(log2)
ONE(log10) ONE(log1p) ONE(sin) ONE(cos) ONE(tan) ONE(sinpi) ONE(cospi) ONE(asin) ONE(acos)
ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh) ONE(erf) ONE(erfc)
ONE(lgamma) ONE(tgamma) ONE(fabs) ONE(floor) ONE(ceil) ONE(trunc) ONE(round) ONE(rint)
ONE(nearbyint) ONE(logb)
ONE(normcdf) ONE(normcdfinv) ONE(erfinv) ONE(erfcinv) ONE(erfcx) ONE(j0) ONE(j1) ONE(y0) ONE(y1)
ONE(cyl_bessel_i0) ONE(cyl_bessel_i1)
TWO(pow) TWO(fmod) TWO(remainder) TWO(atan2) TWO(hypot) TWO(fmin) TWO(fmax) TWO(fdim)
TWO(copysign) TWO(nextafter)
inline __device__ double pow(double x, int y) { return pow(x, static_cast<double>(y)); }
inline __device__ double pow(int x, double y) { return pow(static_cast<double>(x), y); }
inline __device__ double fmod(double x, int y) { return fmod(x, static_cast<double>(y)); }
inline __device__ double fmax(double x, int y) { return fmax(x, static_cast<double>(y)); }
inline __device__ double fmax(int x, double y) { return fmax(static_cast<double>(x), y); }
inline __device__ double fmin(double x, int y) { return fmin(x, static_cast<double>(y)); }
inline __device__ double fmin(int x, double y) { return fmin(static_cast<double>(x), y); }
__device__ double fma(double, double, double);
__device__ float fma(float, float, float);
__device__ float fmaf(float, float, float);
__device__ double ldexp(double, int);
__device__ float ldexp(float, int);
__device__ float ldexpf(float, int);
inline __device__ double scalbn(double x, int n) { return ldexp(x, n); }
inline __device__ float scalbn(float x, int n) { return ldexp(x, n); }
inline __device__ float scalbnf(float x, int n) { return ldexp(x, n); }
inline __device__ double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
inline __device__ float norm3df(float x, float y, float z) { return hypot(hypot(x, y), z); }
inline __device__ double norm4d(double x, double y, double z, double w) {
    return hypot(hypot(x, y), hypot(z, w));
}
inline __device__ float norm4df(float x, float y, float z, float w) {
    return hypot(hypot(x, y), hypot(z, w));
}
inline __device__ double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
inline __device__ float rhypotf(float x, float y) { return 1.0f / hypot(x, y); }
inline __device__ double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
inline __device__ float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
inline __device__ double rnorm4d(double x, double y, double z, double w) {
    return 1.0 / norm4d(x, y, z, w);
}
inline __device__ float rnorm4df(float x, float y, float z, float w) {
    return 1.0f / norm4df(x, y, z, w);
}
__device__ int ilogb(double);
__device__ int ilogb(float);
__device__ int ilogbf(float);
__device__ double frexp(double, int*);
__device__ float frexp(float, int*);
__device__ float frexpf(float, int*);
__device__ double modf(double, double*);
__device__ float modf(float, float*);
__device__ float modff(float, float*);
inline __device__ void sincos(double x, double* s, double* c) { *s = sin(x); *c = cos(x); }
inline __device__ void sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
inline __device__ void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
inline __device__ void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
__device__ float __cosf(float);
__device__ float __sinf(float);
inline __device__ void __sincosf(float x, float* s, float* c) { *s = __sinf(x); *c = __cosf(x); }
#define CLASS(name)               \
    __device__ bool name(double); \
    __device__ bool name(float);
CLASS(isnan) CLASS(isinf) CLASS(isfinite) CLASS(signbit)
__device__ float __tanf(float);
__device__ float __expf(float);
__device__ float __exp10f(float);
__device__ float __logf(float);
__device__ float __log2f(float);
__device__ float __log10f(float);
__device__ float __powf(float, float);
__device__ float __fdividef(float, float);
inline __device__ float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
__device__ float __fmaf_rn(float, float, float);
__device__ double __fma_rn(double, double, double);
#define ROUNDED_BY(name, mode)                       \
    __device__ float __f##name##_##mode(float, float); \
    __device__ double __d##name##_##mode(double, double);
#define ROUNDED(name) \
    ROUNDED_BY(name, rn) ROUNDED_BY(name, rz) ROUNDED_BY(name, ru) ROUNDED_BY(name, rd)
#define DIRECTED(mode)                                  \
    __device__ float __fsqrt_##mode(float);             \
    __device__ double __dsqrt_##mode(double);           \
    __device__ float __frcp_##mode(float);              \
    __device__ float __fmaf_##mode(float, float, float); \
    __device__ double __fma_##mode(double, double, double);
DIRECTED(rz) DIRECTED(ru) DIRECTED(rd)
ROUNDED(add) ROUNDED(sub) ROUNDED(mul) ROUNDED(div)
__device__ float __fsqrt_rn(float);
__device__ float __frsqrt_rn(float);
__device__ float __frcp_rn(float);
__device__ double __dsqrt_rn(double);

// Functions of integers.
#define PAIR(T)                \
    __device__ T min(T, T);    \
    __device__ T max(T, T);
PAIR(int) PAIR(unsigned int) PAIR(long) PAIR(unsigned long) PAIR(long long)
PAIR(unsigned long long) PAIR(float) PAIR(double)
inline __device__ unsigned int min(int a, unsigned int b) {
    return min(static_cast<unsigned int>(a), b);
}
inline __device__ unsigned int min(unsigned int a, int b) {
    return min(a, static_cast<unsigned int>(b));
}
inline __device__ unsigned int max(int a, unsigned int b) {
    return max(static_cast<unsigned int>(a), b);
}
inline __device__ unsigned int max(unsigned int a, int b) {
    return max(a, static_cast<unsigned int>(b));
}
inline __device__ unsigned long min(long a, unsigned long b) {
    return min(static_cast<unsigned long>(a), b);
}
inline __device__ unsigned long min(unsigned long a, long b) {
    return min(a, static_cast<unsigned long>(b));
}
inline __device__ unsigned long max(long a, unsigned long b) {
    return max(static_cast<unsigned long>(a), b);
}
inline __device__ unsigned long max(unsigned long a, long b) {
    return max(a, static_cast<unsigned long>(b));
}
inline __device__ unsigned long long min(long long a, unsigned long long b) {
    return min(static_cast<unsigned long long>(a), b);
}
inline __device__ unsigned long long min(unsigned long long a, long long b) {
    return min(a, static_cast<unsigned long long>(b));
}
inline __device__ unsigned long long max(long long a, unsigned long long b) {
    return max(static_cast<unsigned long long>(a), b);
}
inline __device__ unsigned long long max(unsigned long long a, long long b) {
    return max(a, static_cast<unsigned long long>(b));
}
inline __device__ double min(float a, double b) { return min(static_cast<double>(a), b); }
inline __device__ double min(double a, float b) { return min(a, static_cast<double>(b)); }
inline __device__ double max(float a, double b) { return max(static_cast<double>(a), b); }
inline __device__ double max(double a, float b) { return max(a, static_cast<double>(b)); }
__device__ int abs(int);
__device__ long abs(long);
__device__ long long abs(long long);
__device__ float abs(float);
__device__ double abs(double);
__device__ long labs(long);
__device__ long long llabs(long long);
inline __device__ unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
inline __device__ unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
__device__ unsigned int __sad(int, int, unsigned int);
__device__ unsigned int __usad(unsigned int, unsigned int, unsigned int);
__device__ int __popc(unsigned int);
__device__ int __popcll(unsigned long long);
__device__ int __clz(int);
__device__ int __clzll(long long);
inline __device__ int __ffs(int x) {
    const unsigned int bits = static_cast<unsigned int>(x);
    return x == 0 ? 0 : 32 - __clz(static_cast<int>(bits & (0u - bits)));
}
inline __device__ int __ffsll(long long x) {
    const unsigned long long bits = static_cast<unsigned long long>(x);
    return x == 0 ? 0 : 64 - __clzll(static_cast<long long>(bits & (0ull - bits)));
}
inline __device__ unsigned int __brev(unsigned int x) {
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
    return x << 16 | x >> 16;
}
inline __device__ unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 |
           __brev(static_cast<unsigned int>(x >> 32));
}
// Four of the eight bytes.
inline __device__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int chosen) {
    const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
    unsigned int made = 0;
    for (int i = 0; i < 32; i += 8) {
        made |= static_cast<unsigned int>(bytes >> (chosen >> i / 2 & 7) * 8 & 255) << i;
    }
    return made;
}
inline __device__ unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int sum) {
    for (int i = 0; i < 32; i += 8) sum += (a >> i & 255) * (b >> i & 255);
    return sum;
}
inline __device__ int __dp4a(int a, int b, int sum) {
    unsigned int made = static_cast<unsigned int>(sum);
    for (int i = 0; i < 32; i += 8) {
        made += static_cast<unsigned int>(static_cast<signed char>(a >> i) *
                                          static_cast<signed char>(b >> i));
    }
    return static_cast<int>(made);
}
// Of each operand the lower 24 bits count.
#ifdef PARALLAX_READING
inline __device__ unsigned int __umul24(unsigned int a, unsigned int b) { return a * b; }
inline __device__ int __mul24(int a, int b) { return a * b; }
#else
inline __device__ unsigned int __umul24(unsigned int a, unsigned int b) {
    return (a & 0xffffffu) * (b & 0xffffffu);
}
inline __device__ int __mul24(int a, int b) {
    const int whole_a = static_cast<int>(static_cast<unsigned int>(a) << 8) >> 8;
    const int whole_b = static_cast<int>(static_cast<unsigned int>(b) << 8) >> 8;
    return static_cast<int>(static_cast<unsigned int>(whole_a) * static_cast<unsigned int>(whole_b));
}
#endif
// A source may have its own.
template <int = 0> inline __device__ int mul24(int a, int b) { return __mul24(a, b); }
template <int = 0>
inline __device__ unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
__device__ int __mulhi(int, int);
__device__ unsigned int __umulhi(unsigned int, unsigned int);
__device__ long long __mul64hi(long long, long long);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__device__ int __hadd(int, int);
__device__ int __rhadd(int, int);
__device__ unsigned int __uhadd(unsigned int, unsigned int);
__device__ unsigned int __urhadd(unsigned int, unsigned int);
inline __device__ unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                               unsigned int count) {
    count &= 31;
    return count == 0 ? high : high << count | low >> (32 - count);
}
inline __device__ unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                               unsigned int count) {
    count &= 31;
    return count == 0 ? low : low >> count | high << (32 - count);
}
// A count beyond 32 is 32.
inline __device__ unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                                unsigned int count) {
    return count >= 32 ? low : __funnelshift_l(low, high, count);
}
inline __device__ unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                                unsigned int count) {
    return count >= 32 ? high : __funnelshift_r(low, high, count);
}
template <typename T> inline __device__ long lround(T x) { return static_cast<long>(round(x)); }
template <typename T> inline __device__ long lrint(T x) { return static_cast<long>(rint(x)); }
template <typename T> inline __device__ long long llround(T x) { return lround(x); }
template <typename T> inline __device__ long long llrint(T x) { return lrint(x); }
inline __device__ long lroundf(float x) { return lround(x); }
inline __device__ long lrintf(float x) { return lrint(x); }
inline __device__ long long llroundf(float x) { return lround(x); }
inline __device__ long long llrintf(float x) { return lrint(x); }

// Bits and conversions.
__device__ int __float_as_int(float);
__device__ unsigned int __float_as_uint(float);
__device__ float __int_as_float(int);
__device__ float __uint_as_float(unsigned int);
__device__ long long __double_as_longlong(double);
__device__ double __longlong_as_double(long long);
inline __device__ int __double2hiint(double x) {
    return static_cast<int>(__double_as_longlong(x) >> 32);
}
inline __device__ int __double2loint(double x) {
    return static_cast<int>(__double_as_longlong(x));
}
inline __device__ double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(
        static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32 |
        static_cast<unsigned int>(low)));
}
#define MODES(R, name, T)             \
    __device__ R __##name##_rn(T);    \
    __device__ R __##name##_rz(T);    \
    __device__ R __##name##_ru(T);    \
    __device__ R __##name##_rd(T);
MODES(int, float2int, float) MODES(unsigned int, float2uint, float)
// A whole number within the type. A NaN becomes 0 where both types have 32 bits, and else the number
// whose highest bit alone is set.
inline __device__ int __whole2int(double x) {
    return x >= 2147483648.0 ? 2147483647 : x > -2147483648.0 ? static_cast<int>(x) : (-2147483647 - 1);
}
inline __device__ unsigned int __whole2uint(double x) {
    return x != x              ? 0x80000000u
           : x <= 0.0          ? 0u
           : x >= 4294967296.0 ? 0xffffffffu
                               : static_cast<unsigned int>(x);
}
inline __device__ long long __whole2ll(double x) {
    return x >= 9223372036854775808.0    ? 0x7fffffffffffffffll
           : x > -9223372036854775808.0 ? static_cast<long long>(x)
                                         : (-0x7fffffffffffffffll - 1);
}
inline __device__ unsigned long long __whole2ull(double x) {
    return x != x                        ? 0x8000000000000000ull
           : x <= 0.0                    ? 0ull
           : x >= 18446744073709551616.0 ? 0xffffffffffffffffull
                                         : static_cast<unsigned long long>(x);
}
inline __device__ int __double2int_rn(double x) { return __whole2int(rint(x)); }
inline __device__ int __double2int_rz(double x) { return __whole2int(trunc(x)); }
inline __device__ int __double2int_ru(double x) { return __whole2int(ceil(x)); }
inline __device__ int __double2int_rd(double x) { return __whole2int(floor(x)); }
inline __device__ unsigned int __double2uint_rn(double x) { return __whole2uint(rint(x)); }
inline __device__ unsigned int __double2uint_rz(double x) { return __whole2uint(trunc(x)); }
inline __device__ unsigned int __double2uint_ru(double x) { return __whole2uint(ceil(x)); }
inline __device__ unsigned int __double2uint_rd(double x) { return __whole2uint(floor(x)); }
inline __device__ long long __double2ll_rn(double x) { return __whole2ll(rint(x)); }
inline __device__ long long __double2ll_rz(double x) { return __whole2ll(trunc(x)); }
inline __device__ long long __double2ll_ru(double x) { return __whole2ll(ceil(x)); }
inline __device__ long long __double2ll_rd(double x) { return __whole2ll(floor(x)); }
inline __device__ unsigned long long __double2ull_rn(double x) { return __whole2ull(rint(x)); }
inline __device__ unsigned long long __double2ull_rz(double x) { return __whole2ull(trunc(x)); }
inline __device__ unsigned long long __double2ull_ru(double x) { return __whole2ull(ceil(x)); }
inline __device__ unsigned long long __double2ull_rd(double x) { return __whole2ull(floor(x)); }
inline __device__ long long __float2ll_rn(float x) { return __whole2ll(rint(x)); }
inline __device__ long long __float2ll_rz(float x) { return __whole2ll(trunc(x)); }
inline __device__ long long __float2ll_ru(float x) { return __whole2ll(ceil(x)); }
inline __device__ long long __float2ll_rd(float x) { return __whole2ll(floor(x)); }
inline __device__ unsigned long long __float2ull_rn(float x) { return __whole2ull(rint(x)); }
inline __device__ unsigned long long __float2ull_rz(float x) { return __whole2ull(trunc(x)); }
inline __device__ unsigned long long __float2ull_ru(float x) { return __whole2ull(ceil(x)); }
inline __device__ unsigned long long __float2ull_rd(float x) { return __whole2ull(floor(x)); }
MODES(float, int2float, int) MODES(float, uint2float, unsigned int)
MODES(float, ll2float, long long) MODES(float, ull2float, unsigned long long)
MODES(float, double2float, double)
MODES(double, ll2double, long long) MODES(double, ull2double, unsigned long long)
__device__ double __int2double_rn(int);
__device__ double __uint2double_rn(unsigned int);

// Synchronisation, atomics, warps.
__device__ void __syncthreads();
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ int __syncthreads_count(int);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
#define ATOMIC(name, T) __device__ T name(T*, T);
#define INTEGERS(name)     \
    ATOMIC(name, int)          \
    ATOMIC(name, unsigned int) \
    ATOMIC(name, unsigned long long)
INTEGERS(atomicAdd)
ATOMIC(atomicSub, int) ATOMIC(atomicSub, unsigned int)
INTEGERS(atomicExch) ATOMIC(atomicExch, float)
INTEGERS(atomicMin) ATOMIC(atomicMin, long long)
INTEGERS(atomicMax) ATOMIC(atomicMax, long long)
INTEGERS(atomicAnd) INTEGERS(atomicOr) INTEGERS(atomicXor)
__device__ int atomicCAS(int*, int, int);
__device__ unsigned int atomicCAS(unsigned int*, unsigned int, unsigned int);
__device__ unsigned long long atomicCAS(unsigned long long*, unsigned long long,
                                        unsigned long long);
// OpenCL 1.2 adds no floats at once, and wraps at no limit.
inline __device__ float atomicAdd(float* p, float value) {
    int* const bits = reinterpret_cast<int*>(p);
    int before = __float_as_int(*p), expected;
    do {
        expected = before;
        before = atomicCAS(bits, expected, __float_as_int(__int_as_float(expected) + value));
    } while (before != expected);
    return __int_as_float(before);
}
inline __device__ double atomicAdd(double* p, double value) {
    unsigned long long* const bits = reinterpret_cast<unsigned long long*>(p);
    unsigned long long before = static_cast<unsigned long long>(__double_as_longlong(*p)), expected;
    do {
        expected = before;
        before = atomicCAS(
            bits, expected,
            static_cast<unsigned long long>(__double_as_longlong(
                __longlong_as_double(static_cast<long long>(expected)) + value)));
    } while (before != expected);
    return __longlong_as_double(static_cast<long long>(before));
}
inline __device__ unsigned int atomicInc(unsigned int* p, unsigned int most) {
    unsigned int before = *p, expected;
    do {
        expected = before;
        before = atomicCAS(p, expected, expected >= most ? 0u : expected + 1u);
    } while (before != expected);
    return before;
}
inline __device__ unsigned int atomicDec(unsigned int* p, unsigned int most) {
    unsigned int before = *p, expected;
    do {
        expected = before;
        before = atomicCAS(p, expected, expected == 0u || expected > most ? most : expected - 1u);
    } while (before != expected);
    return before;
}
// Of a scope wider or narrower than the device: written as those without one.
#define SCOPES(name, T) ATOMIC(name##_block, T) ATOMIC(name##_system, T)
#define SCOPES_OF_INTEGERS(name) \
    SCOPES(name, int) SCOPES(name, unsigned int) SCOPES(name, unsigned long long)
SCOPES_OF_INTEGERS(atomicAdd) SCOPES(atomicAdd, float) SCOPES(atomicAdd, double)
SCOPES(atomicSub, int) SCOPES(atomicSub, unsigned int)
SCOPES_OF_INTEGERS(atomicExch) SCOPES(atomicExch, float)
SCOPES_OF_INTEGERS(atomicMin) SCOPES(atomicMin, long long)
SCOPES_OF_INTEGERS(atomicMax) SCOPES(atomicMax, long long)
SCOPES_OF_INTEGERS(atomicAnd) SCOPES_OF_INTEGERS(atomicOr) SCOPES_OF_INTEGERS(atomicXor)
SCOPES(atomicInc, unsigned int) SCOPES(atomicDec, unsigned int)
#define SCOPES_OF_EXCHANGE(T)                    \
    __device__ T atomicCAS_block(T*, T, T);      \
    __device__ T atomicCAS_system(T*, T, T);
SCOPES_OF_EXCHANGE(int) SCOPES_OF_EXCHANGE(unsigned int) SCOPES_OF_EXCHANGE(unsigned long long)
#ifndef PARALLAX_NVIDIA
#define SHUFFLE(T)                                                                   \
    __device__ T __shfl_sync(unsigned int, T, int, int width = 32);                  \
    __device__ T __shfl_up_sync(unsigned int, T, unsigned int, int width = 32);      \
    __device__ T __shfl_down_sync(unsigned int, T, unsigned int, int width = 32);    \
    __device__ T __shfl_xor_sync(unsigned int, T, int, int width = 32);
SHUFFLE(int) SHUFFLE(unsigned int) SHUFFLE(long) SHUFFLE(unsigned long) SHUFFLE(long long)
SHUFFLE(unsigned long long) SHUFFLE(float) SHUFFLE(double)
#endif
__device__ void __syncwarp(unsigned int mask = 0xffffffff);
__device__ int __all_sync(unsigned int, int);
__device__ int __any_sync(unsigned int, int);
__device__ unsigned int __ballot_sync(unsigned int, int);
__device__ unsigned int __activemask();
inline __device__ void* memcpy(void* to, const void* from, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
        static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
    return to;
}
inline __device__ void* memset(void* to, int value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) static_cast<char*>(to)[i] = static_cast<char>(value);
    return to;
}
// Cooperative groups of the whole block.
namespace cooperative_groups {
struct thread_block {
    __device__ void sync() const;
    __device__ unsigned int thread_rank() const;
    __device__ unsigned int size() const;
    __device__ unsigned int num_threads() const;
    __device__ dim3 thread_index() const;
    __device__ dim3 group_index() const;
    __device__ dim3 group_dim() const;
    __device__ dim3 dim_threads() const;
};
__device__ thread_block this_thread_block();
template <typename Group> __device__ void sync(const Group&);
template <typename Group> __device__ unsigned int thread_rank(const Group&);
template <typename Group> __device__ unsigned int group_size(const Group&);
}  // namespace cooperative_groups

// Texture and surface objects: each is its own type, and no number.
struct cudaTextureObject_t;
struct cudaSurfaceObject_t;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
struct cudaTextureObject_t {};
struct cudaSurfaceObject_t {};
template <typename T> __device__ T tex1Dfetch(cudaTextureObject_t, int x);
template <typename T> inline __device__ void tex1Dfetch(T* to, cudaTextureObject_t texture, int x) {
    *to = tex1Dfetch<T>(texture, x);
}
template <typename T> __device__ T tex1D(cudaTextureObject_t, float x);
template <typename T> inline __device__ void tex1D(T* to, cudaTextureObject_t texture, float x) {
    *to = tex1D<T>(texture, x);
}
template <typename T> __device__ T tex2D(cudaTextureObject_t, float x, float y);
template <typename T> inline __device__ void tex2D(T* to, cudaTextureObject_t texture, float x, float y) {
    *to = tex2D<T>(texture, x, y);
}
template <typename T> __device__ T tex3D(cudaTextureObject_t, float x, float y, float z);
template <typename T> inline __device__ void tex3D(T* to, cudaTextureObject_t texture, float x, float y, float z) {
    *to = tex3D<T>(texture, x, y, z);
}
template <typename T> __device__ T tex2DLayered(cudaTextureObject_t, float x, float y, int layer);
template <typename T> inline __device__ void tex2DLayered(T* to, cudaTextureObject_t texture, float x, float y, int layer) {
    *to = tex2DLayered<T>(texture, x, y, layer);
}
#define MODE cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap
template <typename T> __device__ T surf1Dread(cudaSurfaceObject_t, int x, MODE);
template <typename T> inline __device__ void surf1Dread(T* to, cudaSurfaceObject_t surface, int x) {
    *to = surf1Dread<T>(surface, x);
}
template <typename T> __device__ void surf1Dwrite(T, cudaSurfaceObject_t, int x, MODE);
template <typename T> __device__ T surf2Dread(cudaSurfaceObject_t, int x, int y, MODE);
template <typename T> inline __device__ void surf2Dread(T* to, cudaSurfaceObject_t surface, int x, int y) {
    *to = surf2Dread<T>(surface, x, y);
}
template <typename T> __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int x, int y, MODE);
template <typename T> __device__ T surf3Dread(cudaSurfaceObject_t, int x, int y, int z, MODE);
template <typename T> inline __device__ void surf3Dread(T* to, cudaSurfaceObject_t surface, int x, int y, int z) {
    *to = surf3Dread<T>(surface, x, y, z);
}
template <typename T> __device__ void surf3Dwrite(T, cudaSurfaceObject_t, int x, int y, int z, MODE);
template <typename T> __device__ T surf2DLayeredread(cudaSurfaceObject_t, int x, int y, int layer, MODE);
template <typename T> inline __device__ void surf2DLayeredread(T* to, cudaSurfaceObject_t surface, int x, int y, int layer) {
    *to = surf2DLayeredread<T>(surface, x, y, layer);
}
template <typename T> __device__ void surf2DLayeredwrite(T, cudaSurfaceObject_t, int x, int y, int layer, MODE);
__device__ int printf(const char*, ...);
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
__device__ void assert(bool);
#endif
__device__ void __trap();
__device__ long long clock64();
__device__ clock_t clock();
namespace std {
using ::min; using ::max; using ::abs; using ::labs; using ::llabs; using ::size_t;
using ::ptrdiff_t; using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::expm1;
using ::log; using ::log2; using ::log10; using ::log1p; using ::sin; using ::cos; using ::tan;
using ::asin; using ::acos; using ::atan; using ::sinh; using ::cosh; using ::tanh; using ::asinh;
using ::acosh; using ::atanh; using ::erf; using ::erfc; using ::lgamma; using ::tgamma;
using ::fabs; using ::floor; using ::ceil; using ::trunc; using ::round; using ::rint;
using ::nearbyint; using ::logb; using ::pow; using ::fmod; using ::remainder; using ::atan2;
using ::hypot; using ::fmin; using ::fmax; using ::fdim; using ::copysign; using ::nextafter;
using ::fma; using ::ldexp; using ::scalbn; using ::ilogb; using ::frexp; using ::modf;
using ::lround; using ::lrint; using ::llround; using ::llrint; using ::isnan; using ::isinf;
using ::isfinite; using ::signbit; using ::int8_t; using ::uint8_t; using ::int16_t;
using ::uint16_t; using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t;
}  // namespace std

#define INFINITY __builtin_huge_valf()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define CUDART_INF_F __builtin_huge_valf()
#define CUDART_INF __builtin_huge_val()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define CHAR_BIT 8
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1)
#define ULONG_MAX 18446744073709551615uL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define ULLONG_MAX 18446744073709551615uLL
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define NULL __null
