// Generated from kernels/tensor.cl for T = float; `meson compile cuda-texts` refreshes it.
struct __align__(2) half {
    unsigned short bits;
    half() = default;
    __device__ half(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
    __device__ half(double x) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x)); }
    __device__ half(signed char x) : half(float(x)) {}
    __device__ half(unsigned char x) : half(float(x)) {}
    __device__ half(short x) : half(float(x)) {}
    __device__ half(unsigned short x) : half(float(x)) {}
    __device__ half(int x) : half(float(x)) {}
    __device__ half(unsigned int x) : half(float(x)) {}
    __device__ half(long x) : half(float(x)) {}
    __device__ half(unsigned long x) : half(float(x)) {}
    __device__ half(long long x) : half(float(x)) {}
    __device__ half(unsigned long long x) : half(float(x)) {}
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
    __device__ half operator+() const { return *this; }
    __device__ half operator-() const { half x; x.bits = bits ^ 0x8000; return x; }
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
template <class T>
__device__ inline typename with_half<T>::type operator+(half a, T b) {
    using R = typename with_half<T>::type;
    return R(a) + R(b);
}
template <class T>
__device__ inline typename with_half<T>::type operator+(T a, half b) {
    using R = typename with_half<T>::type;
    return R(a) + R(b);
}
__device__ inline double operator+(half a, double b) { return double(float(a)) + b; }
__device__ inline double operator+(double a, half b) { return a + double(float(b)); }
template <class T>
__device__ inline typename with_half<T>::type operator-(half a, T b) {
    using R = typename with_half<T>::type;
    return R(a) - R(b);
}
template <class T>
__device__ inline typename with_half<T>::type operator-(T a, half b) {
    using R = typename with_half<T>::type;
    return R(a) - R(b);
}
__device__ inline double operator-(half a, double b) { return double(float(a)) - b; }
__device__ inline double operator-(double a, half b) { return a - double(float(b)); }
template <class T>
__device__ inline typename with_half<T>::type operator*(half a, T b) {
    using R = typename with_half<T>::type;
    return R(a) * R(b);
}
template <class T>
__device__ inline typename with_half<T>::type operator*(T a, half b) {
    using R = typename with_half<T>::type;
    return R(a) * R(b);
}
__device__ inline double operator*(half a, double b) { return double(float(a)) * b; }
__device__ inline double operator*(double a, half b) { return a * double(float(b)); }
template <class T>
__device__ inline typename with_half<T>::type operator/(half a, T b) {
    using R = typename with_half<T>::type;
    return R(a) / R(b);
}
template <class T>
__device__ inline typename with_half<T>::type operator/(T a, half b) {
    using R = typename with_half<T>::type;
    return R(a) / R(b);
}
__device__ inline double operator/(half a, double b) { return double(float(a)) / b; }
__device__ inline double operator/(double a, half b) { return a / double(float(b)); }
__device__ inline float half_value(unsigned short bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}
__device__ inline float vload_half(size_t offset, const half* p) {
    const auto* bits = (const unsigned short*)(p + 1 * offset);
    return half_value(bits[0]);
}
#line 1 "tensor.cl"
// c = a * b' for matrices of m x k and n x k elements, row after row: an element of c is a row of a times
// a row of b. Both are read along their rows, which is the form that units for matrices take.

// One element of c an item, by the units for single numbers.
extern "C" __global__ __launch_bounds__((TILE) * (TILE) * (1)) void plain(
    const float* a, const float* b, float* c, const unsigned long long m, const unsigned long long n,
    const unsigned long long k) {
    const size_t column = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t row = (size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (row < m && column < n) {
        float sum = 0;
        for (size_t i = 0; i < k; ++i) sum = fma(a[row * k + i], b[column * k + i], sum);
        c[row * n + column] = sum;
    }
}

// The same for factors that are halves, and sums that are floats.
extern "C" __global__ __launch_bounds__((TILE) * (TILE) * (1)) void half_plain(
    const half* a, const half* b, float* c, const unsigned long long m, const unsigned long long n,
    const unsigned long long k) {
    const size_t column = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t row = (size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (row < m && column < n) {
        float sum = 0;
        for (size_t i = 0; i < k; ++i) {
            sum = fma(vload_half(row * k + i, a), vload_half(column * k + i, b), sum);
        }
        c[row * n + column] = sum;
    }
}
