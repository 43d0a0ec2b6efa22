// Short host implementations of the CUDA functions that the prelude calls.
#pragma once

#include <atomic>
#include <barrier>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace parallax::device {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::copysign;
using std::fabs;
using std::floor;
using std::fma;
using std::fmax;
using std::fmin;
using std::fmod;
using std::frexp;
using std::isinf;
using std::isnan;
using std::ldexp;
using std::lgamma;
using std::log;
using std::pow;
using std::remainder;
using std::signbit;
using std::sqrt;

inline int min(int a, int b) {
    return b < a ? b : a;
}
inline unsigned min(unsigned a, unsigned b) {
    return b < a ? b : a;
}
inline long min(long a, long b) {
    return b < a ? b : a;
}
inline unsigned long min(unsigned long a, unsigned long b) {
    return b < a ? b : a;
}
inline long long min(long long a, long long b) {
    return b < a ? b : a;
}
inline unsigned long long min(unsigned long long a, unsigned long long b) {
    return b < a ? b : a;
}
inline float min(float a, float b) {
    return std::fmin(a, b);
}
inline double min(double a, double b) {
    return std::fmin(a, b);
}
inline int max(int a, int b) {
    return a < b ? b : a;
}
inline unsigned max(unsigned a, unsigned b) {
    return a < b ? b : a;
}
inline long max(long a, long b) {
    return a < b ? b : a;
}
inline unsigned long max(unsigned long a, unsigned long b) {
    return a < b ? b : a;
}
inline long long max(long long a, long long b) {
    return a < b ? b : a;
}
inline unsigned long long max(unsigned long long a, unsigned long long b) {
    return a < b ? b : a;
}
inline float max(float a, float b) {
    return std::fmax(a, b);
}
inline double max(double a, double b) {
    return std::fmax(a, b);
}

inline int __clz(int x) {
    return std::countl_zero(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
    return std::countl_zero(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1;
}
inline int __ffsll(long long x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}
inline int __popc(unsigned x) {
    return std::popcount(x);
}
inline int __popcll(unsigned long long x) {
    return std::popcount(x);
}
inline int __mulhi(int a, int b) {
    return static_cast<int>(1ll * a * b >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(1ull * a * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
    return static_cast<long long>(static_cast<Wide>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<UnsignedWide>(a) * b >> 64);
}
inline float __int_as_float(int bits) {
    return std::bit_cast<float>(bits);
}

struct char2 {
    signed char x, y;
};
struct uchar2 {
    unsigned char x, y;
};
struct short2 {
    short x, y;
};
struct ushort2 {
    unsigned short x, y;
};
struct int2 {
    int x, y;
};
struct uint2 {
    unsigned x, y;
};
struct longlong2 {
    long long x, y;
};
struct ulonglong2 {
    unsigned long long x, y;
};
struct float4 {
    float x, y, z, w;
};
struct uint4 {
    unsigned x, y, z, w;
};
struct int4 {
    int x, y, z, w;
};

inline char2 make_char2(signed char x, signed char y) {
    return {x, y};
}
inline uchar2 make_uchar2(unsigned char x, unsigned char y) {
    return {x, y};
}
inline short2 make_short2(short x, short y) {
    return {x, y};
}
inline ushort2 make_ushort2(unsigned short x, unsigned short y) {
    return {x, y};
}
inline int2 make_int2(int x, int y) {
    return {x, y};
}
inline uint2 make_uint2(unsigned x, unsigned y) {
    return {x, y};
}
inline longlong2 make_longlong2(long long x, long long y) {
    return {x, y};
}
inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) {
    return {x, y};
}
inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}
inline int4 make_int4(int x, int y, int z, int w) {
    return {x, y, z, w};
}

inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
    return {x, y, z, w};
}

using std::size_t;

// A work-group: a thread of the host for each work-item.
struct Place {
    unsigned x, y, z;
};
inline thread_local Place threadIdx{}, blockIdx{};
inline Place blockDim{1, 1, 1}, gridDim{1, 1, 1};
inline std::unique_ptr<std::barrier<>> group_barrier;
inline const void* shared_begin = nullptr;
inline const void* shared_end = nullptr;

struct Warp {
    explicit Warp(unsigned lanes) : count(lanes), arrive(lanes) {}
    unsigned count;
    std::barrier<> arrive;
    unsigned slots[32] = {};
};
inline thread_local Warp* warp = nullptr;
inline thread_local unsigned warp_lane = 0;
inline std::atomic<int> wrong_masks = 0;

inline void __syncthreads() {
    group_barrier->arrive_and_wait();
}
inline bool __isShared(const void* p) {
    return p >= shared_begin && p < shared_end;
}
/// A lane that is not there gives rubbish.
inline unsigned __shfl_sync(unsigned mask, unsigned value, unsigned lane) {
    if (mask != ~0u >> (32 - warp->count)) ++wrong_masks;
    warp->slots[warp_lane] = value;
    warp->arrive.arrive_and_wait();
    const unsigned read = lane % 32 < warp->count ? warp->slots[lane % 32] : 0xdeadbeef;
    warp->arrive.arrive_and_wait();
    return read;
}
inline unsigned __ballot_sync(unsigned mask, int vote) {
    unsigned votes = 0;
    for (unsigned lane = 0; lane < warp->count; ++lane) {
        votes |= (__shfl_sync(mask, vote != 0, lane) & 1) << lane;
    }
    return votes;
}

// CUDA's atomics of which the prelude makes others, for one thread.
template <class T>
T exchanged(T* p, T value) {
    const T before = *p;
    *p = value;
    return before;
}
inline int atomicAdd(int* p, int v) {
    return exchanged(p, *p + v);
}
inline unsigned atomicAdd(unsigned* p, unsigned v) {
    return exchanged(p, *p + v);
}
inline float atomicAdd(float* p, float v) {
    return exchanged(p, *p + v);
}
inline double atomicAdd(double* p, double v) {
    return exchanged(p, *p + v);
}
inline unsigned long long atomicAdd(unsigned long long* p, unsigned long long v) {
    return exchanged(p, *p + v);
}
inline int atomicSub(int* p, int v) {
    return exchanged(p, *p - v);
}
inline unsigned atomicSub(unsigned* p, unsigned v) {
    return exchanged(p, *p - v);
}
inline int atomicExch(int* p, int v) {
    return exchanged(p, v);
}
inline unsigned long long atomicExch(unsigned long long* p, unsigned long long v) {
    return exchanged(p, v);
}
inline unsigned long long atomicAnd(unsigned long long* p, unsigned long long v) {
    return exchanged(p, *p & v);
}
inline unsigned atomicCAS(unsigned* p, unsigned expected, unsigned v) {
    return exchanged(p, *p == expected ? v : *p);
}
inline unsigned long long atomicCAS(unsigned long long* p, unsigned long long expected,
                                    unsigned long long v) {
    return exchanged(p, *p == expected ? v : *p);
}
inline int fences = 0;
inline void __threadfence() {
    ++fences;
}
inline void __threadfence_block() {
    ++fences;
}
inline void __threadfence_system() {
    ++fences;
}
inline double __longlong_as_double(long long bits) {
    return std::bit_cast<double>(bits);
}
inline long long __double_as_longlong(double x) {
    return std::bit_cast<long long>(x);
}

}  // namespace parallax::device
