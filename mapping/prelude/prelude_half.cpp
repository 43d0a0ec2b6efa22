// The prelude's type of 16-bit floats; CUDA's own is in a header.
#include <fmt/format.h>

#include "mapping/prelude/prelude_functions.hpp"

namespace parallax {
namespace {

constexpr std::string_view whole_types[] = {
    "signed char",  "unsigned char", "short",         "unsigned short", "int",
    "unsigned int", "long",          "unsigned long", "long long",      "unsigned long long"};

std::string half_text() {
    std::string text = R"(struct __align__(2) half {
    unsigned short bits;
    half() = default;
    __device__ half(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
    __device__ half(double x) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x)); }
)";
    for (const std::string_view type : whole_types) {
        text += fmt::format("    __device__ half({} x) : half(float(x)) {{}}\n", type);
    }
    text += R"(    __device__ operator float() const {
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
template <class T> struct with_half {};
template <> struct with_half<float> { using type = float; };
template <> struct with_half<bool> { using type = half; };
)";
    for (const std::string_view type : whole_types) {
        text += fmt::format("template <> struct with_half<{}> {{ using type = half; }};\n", type);
    }
    for (const char mark : {'+', '-', '*', '/'}) {
        text += fmt::format(R"(template <class T>
__device__ inline typename with_half<T>::type operator{0}(half a, T b) {{
    using R = typename with_half<T>::type;
    return R(float(R(a)) {0} float(R(b)));
}}
template <class T>
__device__ inline typename with_half<T>::type operator{0}(T a, half b) {{
    using R = typename with_half<T>::type;
    return R(float(R(a)) {0} float(R(b)));
}}
__device__ inline half operator{0}(half a, half b) {{ return half(float(a) {0} float(b)); }}
__device__ inline double operator{0}(half a, double b) {{ return double(float(a)) {0} b; }}
__device__ inline double operator{0}(double a, half b) {{ return a {0} double(float(b)); }}
)",
                            mark);
    }
    return text;
}

}  // namespace

std::optional<Definition> half_definition(const PreludeKey& key) {
    const bool named = key.word == "half" && key.rest.empty();
    // Asked for by a cast, with the type of what is cast.
    if (named && key.type.known()) return Definition{"", {"half"}};
    if (!named && !(key.word.empty() && key.type == ValueType{"half", 1})) return {};
    return Definition{half_text(), {}};
}

}  // namespace parallax
