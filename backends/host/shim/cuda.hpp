// Defines CUDA C++'s additions to C++, so that a C++ compiler accepts a translated kernel and the
// host can run it. The work-items of a work-group are fibers of one thread, and concurrent
// work-groups have a copy of all of this each: so shared memory may be static. No C library header
// is included, because CUDA lets kernels use its names.
#pragma once
// Suppresses warnings outside of the kernel.
#pragma GCC system_header

#include "machine.hpp"

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDA_ARCH__ 900
#define __global__
#define __device__
#define __host__
/// Each is in its own section, which gives the backend its size, and has a constant initial value,
/// as CUDA requires.
#ifdef __clang__
#define PARALLAX_KNOWN
#else
#define PARALLAX_KNOWN __constinit
#endif
#define PARALLAX_TEXT_OF(number) #number
#define PARALLAX_TEXT(number) PARALLAX_TEXT_OF(number)
#define __constant__ \
    PARALLAX_KNOWN __attribute__((section(".constant." PARALLAX_TEXT(__COUNTER__))))
#ifdef PARALLAX_SANITIZED
/// For functions that are not watched, or that report their accesses themselves.
#define PARALLAX_UNWATCHED __attribute__((optimize("O1"), no_sanitize("thread", "undefined")))
#define __shared__ static __attribute__((aligned(4096)))
// Padding after the last of them.
asm(".pushsection .bss.parallax_behind,\"aw\",@nobits\n.balign 2048\n"
    ".type parallax_behind,@object\n.size parallax_behind,16384\n"
    "parallax_behind: .zero 16384\n.popsection");
#else
#define PARALLAX_UNWATCHED
#define __shared__ static
#endif

// Shared memory is in the shared object; buffers are elsewhere.
extern "C" {
extern char __bss_start __attribute__((visibility("hidden")));
extern char _end __attribute__((visibility("hidden")));
}
inline bool __isShared(const void* p) {
    return p >= &__bss_start && p < &_end;
}
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
// As in math_constants.h.
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_NAN __builtin_nan("")
#define CUDART_MAX_NORMAL_F 3.402823466e38F
#define CUDART_ZERO_F 0.0F
#define CUDART_ONE_F 1.0F
#define CUDART_PI_F 3.141592654F
#define CUDART_PIO2_F 1.570796327F
#define CUDART_PIO4_F 0.785398163F
#define CUDART_2_OVER_PI_F 0.636619772F
#define CUDART_SQRT_TWO_F 1.414213562F
#define CUDART_SQRT_HALF_F 0.707106781F
#define CUDART_L2E_F 1.442695041F
#define CUDART_LN2_F 0.693147181F
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_PIO2 1.5707963267948966e+0
#define CUDART_SQRT_TWO 1.4142135623730951e+0
#define CUDART_SQRT_HALF 7.0710678118654757e-1
#define CUDART_L2E 1.4426950408889634e+0
#define CUDART_LN2 6.9314718055994529e-1
#define NULL __null
// As in math.h and limits.h, which CUDA's compiler includes.
#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#define HUGE_VALF __builtin_inff()
#define HUGE_VAL __builtin_inf()
#define MAXFLOAT 3.40282346638528859812e+38F
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
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-LONG_MAX - 1l)
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1ll)
#define ULLONG_MAX 18446744073709551615ull
#define assert(...)         \
    ((__VA_ARGS__) ? void() \
                   : parallax_host::machine.stop("the assertion '" #__VA_ARGS__ "' failed"))

using size_t = decltype(sizeof 0);
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
extern "C" {
void* memcpy(void*, const void*, size_t) noexcept;
void* memset(void*, int, size_t) noexcept;
}

#include "vectors.hpp"

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
constexpr int warpSize = 32;

namespace parallax_host {

inline Machine machine;

inline unsigned item() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
inline unsigned items() {
    return blockDim.x * blockDim.y * blockDim.z;
}
inline unsigned lane() {
    return item() % 32;
}
inline unsigned long long slots[1024];

template <class To, class From>
To bits_of(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

template <class T>
T from_lane(unsigned mask, T value, unsigned source) {
    static_assert(sizeof(T) <= 8);
    __builtin_memcpy(&slots[item()], &value, sizeof value);
    machine.wait_for_warp(mask);
    T result = value;
    const unsigned from = item() - lane() + source;
    if (source < 32 && from < items()) __builtin_memcpy(&result, &slots[from], sizeof result);
    machine.wait_for_warp(mask);
    return result;
}

inline unsigned ballot(unsigned mask, bool vote) {
    slots[item()] = vote;
    machine.wait_for_warp(mask);
    unsigned votes = 0;
    const unsigned first = item() - lane();
    for (unsigned i = 0; i < 32 && first + i < items(); ++i) {
        if (mask >> i & 1) votes |= static_cast<unsigned>(slots[first + i]) << i;
    }
    machine.wait_for_warp(mask);
    return votes;
}

/// Over the lanes of a mask.
template <class T, class F>
T reduced(unsigned mask, T value, F combine) {
    slots[item()] = 0;
    __builtin_memcpy(&slots[item()], &value, sizeof value);
    machine.wait_for_warp(mask);
    const unsigned first = item() - lane();
    bool any = false;
    T result = value;
    for (unsigned i = 0; i < 32 && first + i < items(); ++i) {
        if (!(mask >> i & 1)) continue;
        T other;
        __builtin_memcpy(&other, &slots[first + i], sizeof other);
        result = any ? combine(result, other) : other;
        any = true;
    }
    machine.wait_for_warp(mask);
    return result;
}

/// Callbacks of ptx.hpp: after a work-item has waited for its work-group, and at the start of a
/// work-group.
inline void (*after_barrier)() = nullptr;
inline void (*before_group)() = nullptr;
/// A different number for each work-group of each launch.
inline unsigned seed = 0;

inline void wait_for_group() {
    machine.wait_for_group();
    if (after_barrier) after_barrier();
}

inline int group_count(bool vote) {
    slots[item()] = vote;
    wait_for_group();
    int votes = 0;
    for (unsigned i = 0; i < items(); ++i) votes += static_cast<int>(slots[i]);
    wait_for_group();
    return votes;
}

// The standard library's headers have all of this, but would take half of the compile time.
template <unsigned... I>
struct Places {};
template <unsigned N, unsigned... I>
struct PlacesTo : PlacesTo<N - 1, N - 1, I...> {};
template <unsigned... I>
struct PlacesTo<0, I...> {
    using Type = Places<I...>;
};
template <class T>
struct Itself {
    using Type = T;
};
template <bool, class T>
struct EnabledIf {};
template <class T>
struct EnabledIf<true, T> : Itself<T> {};
/// The type, which is not deduced from an argument.
template <class T>
using Given = typename Itself<T>::Type;
template <class A, class B>
inline constexpr bool is_same = false;
template <class A>
inline constexpr bool is_same<A, A> = true;
/// The type, for overloads of only these types.
template <class T, class... Of>
using OneOf = typename EnabledIf<(is_same<T, Of> || ...), T>::Type;
template <class T>
inline constexpr bool is_floating = false;
template <>
inline constexpr bool is_floating<float> = true;
template <>
inline constexpr bool is_floating<double> = true;

template <class... A, unsigned... I>
void call(void (*kernel)(A...), void** arguments, Places<I...>) {
    kernel(*static_cast<A*>(arguments[I])...);
}
template <class... A>
void call(void (*kernel)(A...), void** arguments) {
    call(kernel, arguments, typename PlacesTo<sizeof...(A)>::Type());
}

/// The number of a kernel's parameters, and their sizes.
template <class... A>
unsigned parameters(void (*)(A...), Parameter* out) {
    const Parameter all[] = {{sizeof(A), is_floating<A>}..., {}};
    __builtin_memcpy(out, all, sizeof...(A) * sizeof(Parameter));
    return sizeof...(A);
}

/// @param retries  whether it is retried after a conflict with another work-item
template <class T, class F>
PARALLAX_UNWATCHED T exchanged(T* at, F change, bool retries = false) {
    machine.synchronizes(at, sizeof(T), retries);
    T before, after;
    __atomic_load(at, &before, __ATOMIC_SEQ_CST);
    do {
        after = change(before);
    } while (
        !__atomic_compare_exchange(at, &before, &after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return before;
}

/// The number, hidden from the compiler, so that it is computed here.
template <class T>
PARALLAX_UNWATCHED T held(T x) {
    asm volatile("" : "+m"(x) : : "memory");
    return x;
}

/// Rounds once, as a directed instruction does.
template <class F>
auto in_mode(int way, F compute) {
    if (way != 0) machine.round(way);
    const auto result = compute();
    if (way != 0) machine.round(0);
    return result;
}

/// Converts as the machine does: a NaN has an answer of its own where either type has 64 bits.
template <class To, class From>
To saturated(From x) {
    if (x != x) return sizeof(To) + sizeof(From) > 8 ? To(To(1) << (8 * sizeof(To) - 1)) : To(0);
    constexpr To low = To(-1) < To(0) ? To(To(1) << (8 * sizeof(To) - 1)) : To(0);
    constexpr To high = To(~low);
    if (x <= static_cast<From>(low)) return low;
    if (x >= static_cast<From>(high)) return high;
    return static_cast<To>(x);
}

}  // namespace parallax_host

extern "C" {
int parallax_print(const char*, ...) asm("printf");  // the C library's, which counts characters
void parallax_begin(const parallax_host::Machine* given) {
    parallax_host::machine = *given;
}
void parallax_group(const unsigned* p) {
    parallax_host::seed = p[9];
    if (parallax_host::before_group) parallax_host::before_group();
    blockIdx = {p[0], p[1], p[2]};
    blockDim = {p[3], p[4], p[5]};
    gridDim = {p[6], p[7], p[8]};
}
void parallax_item(const unsigned* p) {
    threadIdx = {p[0], p[1], p[2]};
}
}
/// CUDA's gives the number of arguments.
template <typename... Arguments>
int printf(const char* format, Arguments... arguments) {
    parallax_print(format, arguments...);
    return sizeof...(Arguments);
}

// Barriers and fences.
inline void __syncthreads() {
    parallax_host::wait_for_group();
}
inline int __syncthreads_count(int v) {
    return parallax_host::group_count(v != 0);
}
inline int __syncthreads_or(int v) {
    return __syncthreads_count(v) > 0;
}
inline int __syncthreads_and(int v) {
    return __syncthreads_count(!v) == 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
    parallax_host::machine.wait_for_warp(mask);
}
/// In a loop that polls, others must go on.
inline void __nanosleep(unsigned) {
    parallax_host::machine.yields();
}
PARALLAX_UNWATCHED inline void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    parallax_host::machine.yields();
}
inline void __threadfence_block() {
    __threadfence();
}
inline void __threadfence_system() {
    __threadfence();
}
inline void __trap() {
    parallax_host::machine.stop("it trapped");
}

// Warp functions.
inline unsigned __activemask() {
    return parallax_host::machine.active_lanes();
}
inline unsigned __ballot_sync(unsigned m, int v) {
    return parallax_host::ballot(m, v != 0);
}
inline int __any_sync(unsigned m, int v) {
    return __ballot_sync(m, v) != 0;
}
inline int __all_sync(unsigned m, int v) {
    return __ballot_sync(m, !v) == 0;
}
template <class T>
T __shfl_sync(unsigned m, T v, int source, int width = 32) {
    const unsigned w = static_cast<unsigned>(width);
    return parallax_host::from_lane(
        m, v, (parallax_host::lane() & ~(w - 1)) + (static_cast<unsigned>(source) & (w - 1)));
}
template <class T>
T __shfl_up_sync(unsigned m, T v, unsigned by, int width = 32) {
    const unsigned lane = parallax_host::lane(), start = lane & ~(static_cast<unsigned>(width) - 1);
    return parallax_host::from_lane(m, v, lane >= start + by ? lane - by : lane);
}
template <class T>
T __shfl_down_sync(unsigned m, T v, unsigned by, int width = 32) {
    const unsigned w = static_cast<unsigned>(width), lane = parallax_host::lane();
    return parallax_host::from_lane(m, v, lane + by < (lane & ~(w - 1)) + w ? lane + by : lane);
}
template <class T>
T __shfl_xor_sync(unsigned m, T v, int by, int = 32) {
    return parallax_host::from_lane(m, v, parallax_host::lane() ^ static_cast<unsigned>(by));
}
template <class T>
T __reduce_add_sync(unsigned m, T v) {
    return parallax_host::reduced(m, v, [](T a, T b) { return a + b; });
}
template <class T>
T __reduce_min_sync(unsigned m, T v) {
    return parallax_host::reduced(m, v, [](T a, T b) { return a < b ? a : b; });
}
template <class T>
T __reduce_max_sync(unsigned m, T v) {
    return parallax_host::reduced(m, v, [](T a, T b) { return a > b ? a : b; });
}

// Atomic functions: of system scope, whatever scope they name, for the types that CUDA supports.
#define PARALLAX_ATOMIC(name, expression, ...)                                                   \
    template <class T>                                                                           \
    parallax_host::OneOf<T, __VA_ARGS__> name(T* at, parallax_host::Given<T> v) {                \
        return parallax_host::exchanged(at,                                                      \
                                        [&](T old) -> T { return static_cast<T>(expression); }); \
    }                                                                                            \
    template <class T>                                                                           \
    parallax_host::OneOf<T, __VA_ARGS__> name##_block(T* at, parallax_host::Given<T> v) {        \
        return name(at, v);                                                                      \
    }                                                                                            \
    template <class T>                                                                           \
    parallax_host::OneOf<T, __VA_ARGS__> name##_system(T* at, parallax_host::Given<T> v) {       \
        return name(at, v);                                                                      \
    }
#define PARALLAX_WHOLE int, unsigned, long long, unsigned long long
PARALLAX_ATOMIC(atomicAdd, old + v, int, unsigned, unsigned long long, float, double)
PARALLAX_ATOMIC(atomicSub, old - v, int, unsigned)
PARALLAX_ATOMIC(atomicExch, (static_cast<void>(old), v), int, unsigned, unsigned long long, float)
PARALLAX_ATOMIC(atomicMin, v < old ? v : old, PARALLAX_WHOLE)
PARALLAX_ATOMIC(atomicMax, v > old ? v : old, PARALLAX_WHOLE)
PARALLAX_ATOMIC(atomicAnd, old& v, PARALLAX_WHOLE)
PARALLAX_ATOMIC(atomicOr, old | v, PARALLAX_WHOLE)
PARALLAX_ATOMIC(atomicXor, old ^ v, PARALLAX_WHOLE)
PARALLAX_ATOMIC(atomicInc, old >= v ? 0 : old + 1, unsigned)
PARALLAX_ATOMIC(atomicDec, old == 0 || old > v ? v : old - 1, unsigned)
template <class T>
parallax_host::OneOf<T, int, unsigned, unsigned short, unsigned long long> atomicCAS(
    T* at, parallax_host::Given<T> expected, parallax_host::Given<T> v) {
    return parallax_host::exchanged(
        at, [&](T old) { return old == expected ? v : old; }, true);
}

#include "bits.hpp"
#include "checks.hpp"
#include "images.hpp"
#include "math.hpp"
#ifdef PARALLAX_SANITIZED
#include "sanitized.hpp"
#endif
