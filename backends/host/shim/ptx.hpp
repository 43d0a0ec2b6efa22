// Instructions of PTX, included by texts that hold some. The tool turns
// `asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x))` into `parallax_ptx("...", h, x)`.
#pragma once

#include "matrices.hpp"

namespace parallax_host {

/// @param from  the code that holds the text
template <class... Given>
void run_text(const void* from, const char* text, Given&... given) {
    const Register registers[] = {
        {const_cast<void*>(static_cast<const volatile void*>(&given)), sizeof given}..., {}};
    const Instruction& what = instructions.of(text, choose);
    what.run({what, registers, from});
}

}  // namespace parallax_host

template <class... Given>
void parallax_ptx(const char* text, Given&&... given) {
    parallax_host::run_text(__builtin_return_address(0), text, given...);
}

template <class Result, class From>
void parallax_ptx(const char* text, Result& to, From from) {
    using parallax_host::begins;
    constexpr const char* to_half[] = {"cvt.rn.f16.f", "cvt.rm.f16.f", "cvt.rp.f16.f",
                                       "cvt.rz.f16.f"};
    if constexpr (parallax_host::is_floating<From> && sizeof(Result) == 2) {
        for (int way = 0; way < 4; ++way) {
            if (begins(text, to_half[way])) {
                const unsigned short made = parallax_host::half_of(from, way);
                __builtin_memcpy(&to, &made, 2);
                return;
            }
        }
    } else if constexpr (sizeof(From) == 2 && parallax_host::is_floating<Result>) {
        if (begins(text, "cvt.f32.f16") || begins(text, "cvt.f64.f16")) {
            unsigned short bits;
            __builtin_memcpy(&bits, &from, 2);
            to = parallax_host::float_of_half(bits);
            return;
        }
    } else if constexpr (parallax_host::is_floating<From> && parallax_host::is_floating<Result> &&
                         sizeof(From) == 4 && sizeof(Result) == 4) {
        // The approximations of the hardware; the kernels' bounds are theirs.
        if (begins(text, "sqrt.approx")) return void(to = __builtin_sqrtf(from));
        if (begins(text, "rsqrt.approx")) return void(to = 1 / __builtin_sqrtf(from));
        if (begins(text, "rcp.approx")) return void(to = 1 / from);
        if (begins(text, "ex2.approx")) return void(to = __builtin_exp2f(from));
        if (begins(text, "lg2.approx")) return void(to = __builtin_log2f(from));
        if (begins(text, "sin.approx")) return void(to = __builtin_sinf(from));
        if (begins(text, "cos.approx")) return void(to = __builtin_cosf(from));
    }
    parallax_host::run_text(__builtin_return_address(0), text, to, from);
}

inline void parallax_ptx(const char* text, unsigned& to) {
    using parallax_host::begins;
    const unsigned lane = parallax_host::lane();
    if (begins(text, "mov.u32 %0, %%laneid")) {
        to = lane;
    } else if (begins(text, "mov.u32 %0, %%lanemask_lt")) {
        to = (1u << lane) - 1;
    } else {
        parallax_host::run_text(__builtin_return_address(0), text, to);
    }
}

/// Arithmetic of halfs in double: exact of two; of three it may be rounded once too often.
template <class... More>
void parallax_ptx(const char* text, unsigned short& to, unsigned short a, unsigned short b,
                  More... more) {
    using parallax_host::begins;
    const double x = parallax_host::float_of_half(a), y = parallax_host::float_of_half(b);
    double made = 0;
    if constexpr (sizeof...(More) == 1) {
        if (!begins(text, "fma.rn.f16")) return parallax_host::machine.lacks(text);
        made = x * y + (parallax_host::float_of_half(more) + ...);
    } else if (begins(text, "add.f16")) {
        made = x + y;
    } else if (begins(text, "sub.f16")) {
        made = x - y;
    } else if (begins(text, "mul.f16")) {
        made = x * y;
    } else {
        return parallax_host::machine.lacks(text);
    }
    to = parallax_host::half_of(made, 0);
}
