// PTX instructions, included by sources with inline assembly, in which the backend turns
// `asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x))` into `parallax_ptx("...", h, x)`.
#pragma once

#ifdef PARALLAX_UNITS
#include "instructions.hpp"
#else
#include "instruction.hpp"
#endif

namespace parallax_host {

/// Whether the asm holds no instruction, as a barrier for the compiler's reordering.
PARALLAX_UNWATCHED inline bool is_empty(const char* text) {
    for (;; ++text) {
        if (text[0] == '/' && text[1] == '/') {
            while (*text && *text != '\n') ++text;
        }
        if (*text == 0) return true;
        if (*text != ' ' && *text != '\t' && *text != '\n' && *text != ';' && *text != '{' &&
            *text != '}')
            return false;
    }
}

#ifdef PARALLAX_UNITS
/// @param from  the calling code
template <class... Given>
void run_text(const void* from, const char* text, Given&&... given) {
    if (is_empty(text)) return;
    const Register registers[] = {
        {const_cast<void*>(static_cast<const volatile void*>(&given)), sizeof given}..., {}};
    const Instruction& what = instructions.of(text, choose);
    if (what.registers > sizeof...(given)) machine.lacks(text);
    for (const Register& one : registers) touch(from, "reads or writes", one.at, one.bytes);
    what.run({what, registers, from});
}
#else
// Sources without the instructions of instructions.hpp compile faster.
inline void choose(Instruction&) {}
template <class... Given>
void run_text(const void*, const char* text, Given&&...) {
    if (!is_empty(text)) machine.lacks(text);
}
#endif

/// An array as an operand is its address.
template <class T>
T& as_operand(T& given) {
    return given;
}
template <class T, size_t N>
T* as_operand(T (&given)[N]) {
    return given;
}

/// Whether a source is one such instruction, with all its registers in order.
PARALLAX_UNWATCHED inline bool is_plain(const char* text, const char* pattern, unsigned registers) {
    const Instruction& one = instructions.of(text, choose);
    return one.has_in_order(registers) && fits(one.name, pattern);
}

/// Whether a source is exactly this.
PARALLAX_UNWATCHED inline bool is_whole(const char* text, const char* words) {
    while (*text == ' ' || *text == '\t' || *text == '\n' || *text == '{') ++text;
    while (*words && *text == *words) ++words, ++text;
    if (*words || *text != ';') return false;
    while (*++text == ' ' || *text == '\t' || *text == '\n' || *text == '}') {
    }
    return *text == 0;
}

/// Flushes denormal numbers to zero for instructions with that modifier.
PARALLAX_UNWATCHED inline float flushed(const char* text, float x) {
    const bool is_small = __builtin_fabsf(x) < 0x1p-126f;
    return is_small && has(text, ".ftz") ? __builtin_copysignf(0, x) : x;
}

template <class T>
inline constexpr bool is_word = false;
template <>
inline constexpr bool is_word<int> = true;
template <>
inline constexpr bool is_word<unsigned> = true;

}  // namespace parallax_host

template <class... Given>
void parallax_ptx(const char* text, Given&&... given) {
    parallax_host::run_text(__builtin_return_address(0), text, parallax_host::as_operand(given)...);
}

template <class Result, class From>
void parallax_ptx(const char* text, Result& to, From from) {
    using parallax_host::is_plain;
    constexpr const char* to_half[] = {"cvt.rn.f16.(f32|f64)", "cvt.rm.f16.(f32|f64)",
                                       "cvt.rp.f16.(f32|f64)", "cvt.rz.f16.(f32|f64)"};
    if constexpr (parallax_host::is_floating<From> && sizeof(Result) == 2) {
        for (int way = 0; way < 4; ++way) {
            if (is_plain(text, to_half[way], 2)) {
                // Each source has a NaN of its own.
                const bool is_other = from != from && sizeof(From) == 8;
                const unsigned short made = is_other ? 0x7e00 : parallax_host::half_of(from, way);
                __builtin_memcpy(&to, &made, 2);
                return;
            }
        }
    } else if constexpr (sizeof(From) == 2 && parallax_host::is_floating<Result>) {
        if (is_plain(text, "cvt.f32.f16", 2) || is_plain(text, "cvt.f64.f16", 2)) {
            unsigned short bits;
            __builtin_memcpy(&bits, &from, 2);
            to = parallax_host::float_of_half(bits);
            return;
        }
    } else if constexpr (parallax_host::is_floating<From> && parallax_host::is_floating<Result> &&
                         sizeof(From) == 4 && sizeof(Result) == 4) {
        // The hardware's approximations; the kernels' bounds refer to them.
        struct Known {
            const char* pattern;
            float (*made)(float);
        };
        constexpr Known all[] = {
            {"sqrt.approx[.ftz].f32", [](float x) { return __builtin_sqrtf(x); }},
            {"rsqrt.approx[.ftz].f32", [](float x) { return 1 / __builtin_sqrtf(x); }},
            {"rcp.approx[.ftz].f32", [](float x) { return 1 / x; }},
            {"ex2.approx[.ftz].f32", [](float x) { return __builtin_exp2f(x); }},
            {"lg2.approx[.ftz].f32", [](float x) { return __builtin_log2f(x); }},
            {"sin.approx[.ftz].f32", [](float x) { return __builtin_sinf(x); }},
            {"cos.approx[.ftz].f32", [](float x) { return __builtin_cosf(x); }}};
        for (const Known& known : all) {
            if (!is_plain(text, known.pattern, 2)) continue;
            using parallax_host::flushed;
            return void(to = flushed(text, known.made(flushed(text, from))));
        }
    }
    parallax_host::run_text(__builtin_return_address(0), text, to, from);
}

template <class To>
void parallax_ptx(const char* text, To& to) {
    if constexpr (parallax_host::is_word<To>) {
        const unsigned lane = parallax_host::lane();
        if (parallax_host::is_whole(text, "mov.u32 %0, %%laneid")) return void(to = lane);
        if (parallax_host::is_whole(text, "mov.u32 %0, %%lanemask_lt"))
            return void(to = (1u << lane) - 1);
    }
    parallax_host::run_text(__builtin_return_address(0), text, parallax_host::as_operand(to));
}

/// Half arithmetic in double: exact for two operands; for three it may round once too often.
template <class... More>
void parallax_ptx(const char* text, unsigned short& to, unsigned short a, unsigned short b,
                  More... more) {
    using parallax_host::is_plain;
    const double x = parallax_host::float_of_half(a), y = parallax_host::float_of_half(b);
    double made = 0;
    if constexpr (sizeof...(More) == 1) {
        if (!is_plain(text, "fma.rn.f16", 4)) return parallax_host::machine.lacks(text);
        made = x * y + (parallax_host::float_of_half(more) + ...);
    } else if (is_plain(text, "add.f16", 3)) {
        made = x + y;
    } else if (is_plain(text, "sub.f16", 3)) {
        made = x - y;
    } else if (is_plain(text, "mul.f16", 3)) {
        made = x * y;
    } else {
        return parallax_host::machine.lacks(text);
    }
    to = parallax_host::half_of(made, 0);
}
