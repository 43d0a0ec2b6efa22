// 16-bit floats; CUDA's own are in a header.
// == half
struct __align__(2) half {
    unsigned short bits;
    half() = default;
    __device__ constexpr half(float x)
        : bits(__builtin_is_constant_evaluated() ? constant_half(x) : nearest_half(x)) {}
    __device__ constexpr half(double x)
        : bits(__builtin_is_constant_evaluated() ? constant_half(x) : nearest_half(x)) {}
    __device__ constexpr half(signed char x) : half(float(x)) {}
    __device__ constexpr half(unsigned char x) : half(float(x)) {}
    __device__ constexpr half(short x) : half(float(x)) {}
    __device__ constexpr half(unsigned short x) : half(float(x)) {}
    __device__ constexpr half(int x) : half(float(x)) {}
    __device__ constexpr half(unsigned int x) : half(float(x)) {}
    __device__ constexpr half(long x) : half(float(x)) {}
    __device__ constexpr half(unsigned long x) : half(float(x)) {}
    __device__ constexpr half(long long x) : half(float(x)) {}
    __device__ constexpr half(unsigned long long x) : half(float(x)) {}
    __device__ operator float() const {
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
    }
    template <class T> __device__ half& operator+=(T x) { return *this = half(*this + x); }
    template <class T> __device__ half& operator-=(T x) { return *this = half(*this - x); }
    template <class T> __device__ half& operator*=(T x) { return *this = half(*this * x); }
    template <class T> __device__ half& operator/=(T x) { return *this = half(*this / x); }
    __device__ half& operator++() { return *this = half(float(*this) + 1); }
    __device__ half& operator--() { return *this = half(float(*this) - 1); }
    __device__ half operator++(int) { const half before = *this; ++*this; return before; }
    __device__ half operator--(int) { const half before = *this; --*this; return before; }
    __device__ constexpr half operator+() const { return *this; }
    __device__ constexpr half operator-() const {
        half x{};
        x.bits = bits ^ 0x8000;
        return x;
    }

private:
    __device__ static unsigned short nearest_half(float x) {
        unsigned short to;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to) : "f"(x));
        return to;
    }
    __device__ static unsigned short nearest_half(double x) {
        unsigned short to;
        asm("cvt.rn.f16.f64 %0, %1;" : "=h"(to) : "d"(x));
        return to;
    }
    // The same for constant data, which takes no instruction.
    __device__ static constexpr unsigned short constant_half(double x) {
        const unsigned long long all = __builtin_bit_cast(unsigned long long, x);
        const unsigned long long fraction = all & 0xfffffffffffffull;
        const unsigned int sign = all >> 48 & 0x8000;
        const int exponent = int(all >> 52 & 0x7ff) - 1023;
        if (exponent == 1024 && fraction != 0) return sign | 0x7e00;
        if (exponent > 15) return sign | 0x7c00;
        const int cut = exponent < -14 ? 28 - exponent : 42;
        if (cut > 54) return sign;
        const unsigned long long digits = fraction | 1ull << 52, one = 1ull << cut;
        const unsigned long long rest = digits & (one - 1);
        unsigned int kept = digits >> cut;
        if (rest > one / 2 || (rest == one / 2 && kept % 2 == 1)) ++kept;
        return sign | (kept + (exponent < -14 ? 0 : (exponent + 14) << 10));
    }
};
// Rounded to nearest; without .rn the assembler fuses products and sums where --fmad lets it.
__device__ inline half operator+(half a, half b) {
    half r;
    asm("add.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));
    return r;
}
__device__ inline half operator-(half a, half b) {
    half r;
    asm("sub.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));
    return r;
}
__device__ inline half operator*(half a, half b) {
    half r;
    asm("mul.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));
    return r;
}
__device__ inline half operator/(half a, half b) { return half(float(a) / float(b)); }
__device__ inline half fma(half a, half b, half c) {
    half r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return r;
}
template <class T> struct with_half {};
template <> struct with_half<float> { using type = float; };
template <> struct with_half<bool> { using type = half; };
template <> struct with_half<signed char> { using type = half; };
template <> struct with_half<unsigned char> { using type = half; };
template <> struct with_half<short> { using type = half; };
template <> struct with_half<unsigned short> { using type = half; };
template <> struct with_half<int> { using type = half; };
template <> struct with_half<unsigned int> { using type = half; };
template <> struct with_half<long> { using type = half; };
template <> struct with_half<unsigned long> { using type = half; };
template <> struct with_half<long long> { using type = half; };
template <> struct with_half<unsigned long long> { using type = half; };
// == half: operators + - * /
template <class T>
__device__ inline typename with_half<T>::type operatorOPERATOR(half a, T b) {
    using R = typename with_half<T>::type;
    return R(a) OPERATOR R(b);
}
template <class T>
__device__ inline typename with_half<T>::type operatorOPERATOR(T a, half b) {
    using R = typename with_half<T>::type;
    return R(a) OPERATOR R(b);
}
__device__ inline double operatorOPERATOR(half a, double b) { return double(float(a)) OPERATOR b; }
__device__ inline double operatorOPERATOR(double a, half b) { return a OPERATOR double(float(b)); }
