// Functions of integers. Narrow types are not promoted, unlike in C.
// == unsigned_abs: for integers
__device__ inline unsigned_T unsigned_abs(T a) {
    return (unsigned_T)(a < 1 ? (unsigned_T)(0) - (unsigned_T)(a) : (unsigned_T)(a));
}
// == abs: for integers; CUDA has all; by unsigned_abs
__device__ unsigned_T abs(T a);
// == abs_diff: for integers
__device__ inline unsigned_T abs_diff(T a, T b) {
    return (unsigned_T)(a < b ? (unsigned_T)(b) - (unsigned_T)(a)
                              : (unsigned_T)(a) - (unsigned_T)(b));
}
// == add_sat: for char uchar short ushort int uint
__device__ inline T add_sat(T a, T b) {
    return (T)(min(max((long long)a + (long long)b, (long long)lowest_T), (long long)highest_T));
}
// == sub_sat: for char uchar short ushort int uint
__device__ inline T sub_sat(T a, T b) {
    return (T)(min(max((long long)a - (long long)b, (long long)lowest_T), (long long)highest_T));
}
// == add_sat: for long
__device__ inline T add_sat(T a, T b) {
    const long long sum = (long long)((unsigned long long)a + (unsigned long long)b);
    return ((a ^ sum) & (b ^ sum)) < 0 ? (a < 0 ? lowest_T : highest_T) : sum;
}
// == sub_sat: for long
__device__ inline T sub_sat(T a, T b) {
    const long long rest = (long long)((unsigned long long)a - (unsigned long long)b);
    return ((a ^ b) & (a ^ rest)) < 0 ? (a < 0 ? lowest_T : highest_T) : rest;
}
// == add_sat: for ulong
__device__ inline T add_sat(T a, T b) { return a + b < a ? highest_T : a + b; }
// == sub_sat: for ulong
__device__ inline T sub_sat(T a, T b) { return a < b ? 0 : a - b; }
// == hadd: for integers
__device__ inline T hadd(T a, T b) { return (T)((a & b) + ((a ^ b) >> 1)); }
// == rhadd: for integers
__device__ inline T rhadd(T a, T b) { return (T)((a | b) - ((a ^ b) >> 1)); }
// == clz: for char uchar short ushort int uint
__device__ inline T clz(T a) { return (T)(__clz((int)(unsigned_T)(a)) - (32 - bits_T)); }
// == clz: for long ulong
__device__ inline T clz(T a) { return (T)(__clzll((long long)a)); }
// == ctz: for char uchar short ushort int uint
__device__ inline T ctz(T a) { return (T)(a == 0 ? bits_T : __ffs((int)(unsigned_T)(a)) - 1); }
// == ctz: for long ulong
__device__ inline T ctz(T a) { return (T)(a == 0 ? 64 : __ffsll((long long)a) - 1); }
// == popcount: for char uchar short ushort int uint
__device__ inline T popcount(T a) { return (T)(__popc((unsigned_T)(a))); }
// == popcount: for long ulong
__device__ inline T popcount(T a) { return (T)(__popcll((unsigned_T)(a))); }
// == mul_hi: for char uchar short ushort
__device__ inline T mul_hi(T a, T b) { return (T)((wide_T)a * (wide_T)b >> bits_T); }
// == mul_hi: for int
__device__ inline T mul_hi(T a, T b) { return __mulhi(a, b); }
// == mul_hi: for uint
__device__ inline T mul_hi(T a, T b) { return __umulhi(a, b); }
// == mul_hi: for long
__device__ inline T mul_hi(T a, T b) { return __mul64hi(a, b); }
// == mul_hi: for ulong
__device__ inline T mul_hi(T a, T b) { return __umul64hi(a, b); }
// == mad_hi: for integers; needs mul_hi
__device__ inline T mad_hi(T a, T b, T c) {
    return (T)((unsigned_T)(mul_hi(a, b)) + (unsigned_T)(c));
}
// == mad_sat: for char short int
__device__ inline T mad_sat(T a, T b, T c) {
    return (T)(min(max((long long)a * b + c, (long long)lowest_T), (long long)highest_T));
}
// == mad_sat: for uchar ushort uint
__device__ inline T mad_sat(T a, T b, T c) {
    return (T)(min((unsigned long long)a * b + c, (unsigned long long)highest_T));
}
// == mad_sat: for long
__device__ inline T mad_sat(T a, T b, T c) {
    const unsigned long long product = (unsigned long long)a * (unsigned long long)b;
    const unsigned long long low = product + (unsigned long long)c;
    const long long high = __mul64hi(a, b) + (c >> 63) + (low < product ? 1 : 0);
    if (high == ((long long)low >> 63)) return (long long)low;
    return high < 0 ? lowest_T : highest_T;
}
// == mad_sat: for ulong
__device__ inline T mad_sat(T a, T b, T c) {
    return __umul64hi(a, b) != 0 || a * b + c < c ? highest_T : a * b + c;
}
// == rotate: for integers
__device__ inline T rotate(T a, T b) {
    return (T)((unsigned_T)(a) << ((unsigned_T)(b) & last_bit_T) |
               (unsigned_T)(a) >> ((0u - (unsigned_T)(b)) & last_bit_T));
}
// == upsample: for char uchar short ushort int uint
__device__ inline wide_T upsample(T a, unsigned_T b) {
    return (wide_T)((unsigned_wide_T)(unsigned_T)(a) << bits_T | (unsigned_wide_T)b);
}
// == mul24: for int uint
__device__ inline T mul24(T a, T b) { return (T)((unsigned_T)(a) * (unsigned_T)(b)); }
// == mad24: for int uint
__device__ inline T mad24(T a, T b, T c) {
    return (T)((unsigned_T)(a) * (unsigned_T)(b) + (unsigned_T)(c));
}
