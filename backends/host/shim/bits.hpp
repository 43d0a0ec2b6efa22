// CUDA's integer and bit functions, and reinterpretations of bits.
#pragma once

/// Returns 32 bits of an address as PTX expects for shared memory, see instruction.hpp.
inline size_t __cvta_generic_to_shared(const void* p) {
    return static_cast<unsigned>(reinterpret_cast<size_t>(p));
}

// Bits.
inline int __clz(int x) {
    return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
inline int __clzll(long long x) {
    return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
inline int __ffs(int x) {
    return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
inline unsigned __brev(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; ++i) r |= (x >> i & 1u) << (31 - i);
    return r;
}
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}
inline int __mulhi(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline int __mul24(int a, int b) {
    return (a << 8 >> 8) * (b << 8 >> 8);
}
inline unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffffu) * (b & 0xffffffu);
}
inline int __hadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
inline int __rhadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
inline unsigned __uhadd(unsigned a, unsigned b) {
    return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) {
    return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return (a > b ? a - b : b - a) + c;
}
inline unsigned __sad(int a, int b, unsigned c) {
    const long long d = static_cast<long long>(a) - b;
    return static_cast<unsigned>(d < 0 ? -d : d) + c;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
    n &= 31;
    return n ? high << n | low >> (32 - n) : high;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
    n &= 31;
    return n ? low >> n | high << (32 - n) : low;
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) {
    return n < 32 ? __funnelshift_l(low, high, n) : low;
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n) {
    return n < 32 ? __funnelshift_r(low, high, n) : high;
}
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
    if (offset == -0x7fffffff - 1) return 0;
    if (offset == 0) return base < 32 && mask >> base & 1 ? base : ~0u;
    for (unsigned left = static_cast<unsigned>(offset < 0 ? -offset : offset);
         base<32; base += offset> 0 ? 1 : ~0u) {
        if (mask >> base & 1 && --left == 0) return base;
    }
    return ~0u;
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    const unsigned long long all = static_cast<unsigned long long>(b) << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; ++i) {
        r |= (static_cast<unsigned>(all >> (8 * (s >> (4 * i) & 7))) & 0xffu) << (8 * i);
    }
    return r;
}
template <class T>
T __ldg(const T* p) {
    return *p;
}

// Reinterpretations.
inline float __int_as_float(int x) {
    return parallax_host::bits_of<float>(x);
}
inline float __uint_as_float(unsigned x) {
    return parallax_host::bits_of<float>(x);
}
inline int __float_as_int(float x) {
    return parallax_host::bits_of<int>(x);
}
inline unsigned __float_as_uint(float x) {
    return parallax_host::bits_of<unsigned>(x);
}
inline double __longlong_as_double(long long x) {
    return parallax_host::bits_of<double>(x);
}
inline long long __double_as_longlong(double x) {
    return parallax_host::bits_of<long long>(x);
}
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}
inline int __double2hiint(double x) {
    return static_cast<int>(__double_as_longlong(x) >> 32);
}
inline int __double2loint(double x) {
    return static_cast<int>(__double_as_longlong(x));
}
