// Functions that are exact or written out, geometric functions and comparisons.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_functions[] = {
    {"fma($, $, $)", "=",
     "One rounding, exact in both. Kernels say fma where they mean it, because both compilers "
     "are told not to fuse a * b + c by themselves.", same,
     "fmaf, __fmaf_rn, fused multiply-add in a kernel"},
    {"mad($, $, $)", "=",
     "OpenCL leaves its rounding open. The prelude's is a * b + c with two roundings, as both "
     "sides are built without contraction.", nearly, "@"},
    {"<min|max>($, $)", "=",
     "The smaller or the larger one. For NaN OpenCL promises nothing and CUDA returns the other "
     "operand; fmin and fmax are defined in both. Of char and short CUDA's gives an int, the "
     "prelude's the type itself.", nearly},
    {"clamp($, $, $)", "=",
     "min(max(x, low), high) in both; CUDA has no such function, the prelude has.", same, "@"},
    {"fabs($)", "=", "Clears the sign; exact."},
    {"floor($)", "=", "Down to an integer; exact."},
    {"ceil($)", "=", "Up to an integer; exact."},
    {"trunc($)", "=", "Towards zero; exact."},
    {"round($)", "=", "To the nearest integer, halves away from zero; exact."},
    {"rint($)", "=", "To the nearest integer, halves to even; exact."},
    {"<fmin|fmax>($, $)", "=", "The smaller or the larger one; passes over a NaN."},
    {"fdim($, $)", "=", "x - y where that is positive, otherwise 0."},
    {"copysign($, $)", "=", "Exact."},
    {"ldexp($, $)", "=", "Times a power of two; rounded correctly."},
    {"fmod($, $)", "=", "The remainder with the dividend's sign; exact."},
    {"remainder($, $)", "=", "The IEEE 754 remainder; exact."},
    {"nextafter($, $)", "=", "The next number in a direction; exact."},
    {"frexp($, $)", "=", "A number in [0.5, 1) and a power of two; exact."},
    {"modf($, $)", "=",
     "The part behind the point and, through the pointer, the whole one; exact."},
    {"fract($, $)", "=",
     "x - floor(x), always below 1; floor(x) through the pointer. The prelude has it.", same, "@"},
    {"remquo($, $, $)", "=",
     "The IEEE 754 remainder; exact. OpenCL wants 7 bits of the quotient and CUDA's function "
     "keeps 3, so the prelude counts them."},
    {"ilogb($)", "=",
     "The exponent, and INT_MAX for infinity. For 0 and NaN each side has its own values.",
     nearly},
    {"logb($)", "=", "The exponent as a float; exact."},
    {"<maxmag|minmag>($, $)", "=", "The one further from 0, or nearer to it; the prelude has it.",
     same, "@"},
    {"nan($)", "=",
     "A quiet NaN with the code in its low bits, by the prelude; CUDA's own takes a string."},
    {"sign($)", "=", "1, -1, the zero itself, and 0 for NaN; the prelude has it.", same, "@"},
    {"step($, $)", "=", "0 below the edge, otherwise 1; the prelude has it.", same, "@"},
    {"<degrees|radians>($)", "=",
     "x * (180 / pi) and x * (pi / 180); each side rounds it in its own way.", nearly, "@"},
    {"mix($, $, $)", "=",
     "a + (b - a) * t. OpenCL lets an implementation fuse it; the prelude does not.", nearly, "@"},
    {"smoothstep($, $, $)", "=",
     "t * t * (3 - 2 * t) with t clamped to 0 ... 1. OpenCL lets an implementation fuse it; the "
     "prelude does not.", nearly, "@"},
    {"dot($, $)", "=",
     "The prelude adds the products from the first component on. OpenCL fixes neither the order "
     "nor whether they are fused.", nearly, "@"},
    {"cross($, $)", "=",
     "Three differences of products; of a vector of 4 the last component is 0.", nearly, "@"},
    {"length($)", "=",
     "The root of the sum of squares; the prelude scales where the squares would overflow or "
     "vanish.", nearly, "@"},
    {"distance($, $)", "=", "The length of the difference.", nearly, "@"},
    {"normalize($)", "=",
     "The vector divided by its length; zeros stay, infinities count as 1.", nearly, "@"},
    {"fast_length($)", "=", "The root of the sum of squares, which may overflow.", nearly, "@"},
    {"fast_distance($, $)", "=", "The root of the sum of squares, which may overflow.", nearly,
     "@"},
    {"fast_normalize($)", "=",
     "The vector times the reciprocal root of the sum of squares.", nearly, "@"},
    {"<isequal|isnotequal|isgreater|isgreaterequal|isless|islessequal>($, $)", "=",
     "The comparison ==, !=, >, >=, < or <=; of scalars 1 or 0, of vectors -1 or 0 by components."},
    {"islessgreater($, $)", "=", "a < b or a > b: false where one is NaN."},
    {"isordered($, $)", "=", "Neither is NaN."},
    {"isunordered($, $)", "=", "One is NaN."},
    {"<isnan|isinf|isfinite|signbit>($)", "=",
     "Of a scalar: 1 or 0 in OpenCL, true or false in CUDA, which is the same in arithmetic. Of "
     "vectors -1 or 0 by components."},
    {"isnormal($)", "=", "Neither 0, denormal, infinite nor NaN; the prelude has it."},
    {"<any|all>($)", "=",
     "Of a vector: whether the highest bit of some or of every component is set; the prelude has "
     "it.", same, "@"},
    {"select($, $, $)", "=",
     "b where c is true, otherwise a; by components the highest bit of c decides. CUDA has no "
     "such function.", same, "@"},
    {"bitselect($, $, $)", "=", "Bits of b where c has a 1, of a elsewhere; the prelude has it.",
     same, "@"},
    {"shuffle($, $)", "=", "Components chosen by a mask at run time; the prelude has it.", same,
     "@, __byte_perm"},
    {"shuffle2($, $, $)", "=",
     "Components of two vectors chosen by a mask at run time; the prelude has it.", same, "@"},
    {"native_*(), half_*(), fast_*()", "",
     "OpenCL C has no function of this name. Write the plain one.", none},
};

}  // namespace parallax::row_lists
