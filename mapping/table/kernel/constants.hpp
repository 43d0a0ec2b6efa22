// Constants.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr std::string_view by_bits =
    "NVRTC has no header that names it. So written it may stand in data at file scope, where "
    "__int_as_float() may not.";

inline constexpr MappingRule kernel_constants[] = {
    {"INFINITY", "__builtin_bit_cast(float, 0x7f800000)", by_bits},
    {"NAN", "__builtin_bit_cast(float, 0x7fc00000)", by_bits, same, "CUDART_NAN_F"},
    {"HUGE_VALF", "__builtin_bit_cast(float, 0x7f800000)", "Infinity as a float.", same,
     "CUDART_INF_F"},
    {"HUGE_VAL", "__builtin_bit_cast(double, 0x7ff0000000000000)", "Infinity as a double.", same,
     "CUDART_INF"},
    {"MAXFLOAT", "0x1.fffffep127f", "FLT_MAX by another name."},
    {"FLT_<MAX|EPSILON|DIG|MANT_DIG|MAX_10_EXP|MAX_EXP|MIN_10_EXP|MIN_EXP|RADIX>",
     "<0x1.fffffep127f|0x1.0p-23f|6|24|38|128|(-37)|(-125)|2>",
     "NVRTC has no header that names it."},
    {"<FLT|DBL>_MIN", "<0x1.0p-126f|0x1.0p-1022>", "The smallest normal number, in both."},
    {"DBL_<MAX|EPSILON|DIG|MANT_DIG|MAX_10_EXP|MAX_EXP|MIN_10_EXP|MIN_EXP>",
     "<0x1.fffffffffffffp1023|0x1.0p-52|15|53|308|1024|(-307)|(-1021)>",
     "NVRTC has no header that names it."},
    {"HALF_<MAX|MIN|EPSILON>",
     "__builtin_bit_cast(half, (unsigned short)<0x7bff|0x0400|0x1400>)",
     "Of type half, which is the prelude's. So written it may stand in data at file scope."},
    {"HALF_<DIG|MANT_DIG|MAX_10_EXP|MAX_EXP|MIN_10_EXP|MIN_EXP|RADIX>",
     "<3|11|4|16|(-4)|(-13)|2>", "NVRTC has no header that names it."},
    {"CHAR_BIT", "8", "NVRTC has no header that names it."},
    {"CHAR_<MAX|MIN>", "<127|(-127 - 1)>", "char is signed in OpenCL."},
    {"SCHAR_<MAX|MIN>", "<127|(-127 - 1)>", "NVRTC has no header that names it."},
    {"<UCHAR|USHRT|UINT>_MAX", "<255|65535|0xffffffffu>", "NVRTC has no header that names it."},
    {"SHRT_<MAX|MIN>", "<32767|(-32767 - 1)>", "NVRTC has no header that names it."},
    {"INT_<MAX|MIN>", "<0x7fffffff|(-0x7fffffff - 1)>", "NVRTC has no header that names it."},
    {"<LONG_MAX|LONG_MIN|ULONG_MAX>",
     "<0x7fffffffffffffffLL|(-0x7fffffffffffffffLL - 1)|0xffffffffffffffffULL>",
     "64 bits in OpenCL."},
    {"FP_<ILOGB0|ILOGBNAN>", "(-0x7fffffff - 1)",
     "What CUDA's ilogb gives for 0 and for NaN.", nearly},
    {"M_E<|_F|_H>", "<0x1.5bf0a8b145769p+1|0x1.5bf0a8p+1f|__builtin_bit_cast(half, (unsigned short)0x4170)>",
     "e; with _F as a float, with _H as a half."},
    {"M_LOG2E<|_F|_H>", "<0x1.71547652b82fep+0|0x1.715476p+0f|__builtin_bit_cast(half, (unsigned short)0x3dc5)>",
     "log2(e); with _F as a float, with _H as a half."},
    {"M_LOG10E<|_F|_H>", "<0x1.bcb7b1526e50ep-2|0x1.bcb7b2p-2f|__builtin_bit_cast(half, (unsigned short)0x36f3)>",
     "log10(e); with _F as a float, with _H as a half."},
    {"M_LN2<|_F|_H>", "<0x1.62e42fefa39efp-1|0x1.62e430p-1f|__builtin_bit_cast(half, (unsigned short)0x398c)>",
     "ln(2); with _F as a float, with _H as a half."},
    {"M_LN10<|_F|_H>", "<0x1.26bb1bbb55516p+1|0x1.26bb1cp+1f|__builtin_bit_cast(half, (unsigned short)0x409b)>",
     "ln(10); with _F as a float, with _H as a half."},
    {"M_PI<|_F|_H>", "<0x1.921fb54442d18p+1|0x1.921fb6p+1f|__builtin_bit_cast(half, (unsigned short)0x4248)>",
     "Pi; with _F as a float, with _H as a half."},
    {"M_PI_2<|_F|_H>", "<0x1.921fb54442d18p+0|0x1.921fb6p+0f|__builtin_bit_cast(half, (unsigned short)0x3e48)>",
     "Pi / 2; with _F as a float, with _H as a half."},
    {"M_PI_4<|_F|_H>", "<0x1.921fb54442d18p-1|0x1.921fb6p-1f|__builtin_bit_cast(half, (unsigned short)0x3a48)>",
     "Pi / 4; with _F as a float, with _H as a half."},
    {"M_1_PI<|_F|_H>", "<0x1.45f306dc9c883p-2|0x1.45f306p-2f|__builtin_bit_cast(half, (unsigned short)0x3518)>",
     "1 / pi; with _F as a float, with _H as a half."},
    {"M_2_PI<|_F|_H>", "<0x1.45f306dc9c883p-1|0x1.45f306p-1f|__builtin_bit_cast(half, (unsigned short)0x3918)>",
     "2 / pi; with _F as a float, with _H as a half."},
    {"M_2_SQRTPI<|_F|_H>", "<0x1.20dd750429b6dp+0|0x1.20dd76p+0f|__builtin_bit_cast(half, (unsigned short)0x3c83)>",
     "2 / sqrt(pi); with _F as a float, with _H as a half."},
    {"M_SQRT2<|_F|_H>", "<0x1.6a09e667f3bcdp+0|0x1.6a09e6p+0f|__builtin_bit_cast(half, (unsigned short)0x3da8)>",
     "sqrt(2); with _F as a float, with _H as a half."},
    {"M_SQRT1_2<|_F|_H>", "<0x1.6a09e667f3bcdp-1|0x1.6a09e6p-1f|__builtin_bit_cast(half, (unsigned short)0x39a8)>",
     "1 / sqrt(2); with _F as a float, with _H as a half."},
};

}  // namespace parallax::row_lists
