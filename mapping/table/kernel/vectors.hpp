// Types of vectors, their literals, components and operators.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_vectors[] = {
    {"<char|uchar|short|ushort|int|uint|long|ulong|float|double>2", "<vector in CUDA>",
     "Twice the bytes of an element, aligned to as many, in both. long2 and ulong2 are "
     "longlong2 and ulonglong2 in CUDA."},
    {"<type>3", "<vector in CUDA>",
     "OpenCL gives it the bytes of a vector of 4, CUDA only those of 3 elements. The prelude "
     "defines it and puts the alignment behind its name: float3_16a."},
    {"<char|uchar|short|ushort|int|uint|float>4", "<vector in CUDA>",
     "Four times the bytes of an element, aligned to as many, in both."},
    {"<type><8|16>", "<vector in CUDA>",
     "8 or 16 times the bytes of an element, aligned to as many. CUDA's vectors end at 4 "
     "components; the prelude defines these."},
    {"<long|ulong|double>4", "<vector in CUDA>",
     "OpenCL aligns it to 32 bytes, CUDA's longlong4, ulonglong4 and double4 to 16. CUDA 13 has "
     "double4_32a and its like; for older ones the prelude defines them."},
    {"half<2|4>", "=", "2 or 4 times 2 bytes, aligned to as many; the prelude defines it."},
    {"(T2)($, $)", "make_T2($, $)",
     "Left as it is, C++ would read a cast of a comma expression and keep only the last value. "
     "So for every width; parts may be vectors, and the prelude puts them together.", same,
     "make_*2, float2, int2, uint2, double2"},
    {"(T4)($, $, $, $)", "make_T4($, $, $, $)",
     "Left as it is, C++ would read a cast of a comma expression and keep only the last value. "
     "So for every width; parts may be vectors, and the prelude puts them together.", same,
     "make_*4, make_float4, float4, int4, uint4, double4, vector literal, vector types"},
    {"(T4)(n++, n++, $, $)", "ordered_T4{n++, n++, $, $}.made",
     "OpenCL's compilers evaluate the parts of a literal from left to right, C++'s the arguments of "
     "a call in any order, but what stands in braces as it stands there: so where parts have "
     "effects, of every width."},
    {"(T2)($)", "splat_T2($)", "One scalar for all components, of any width; the prelude has it.",
     same, "@"},
    {"(T4)($)", "splat_T4($)",
     "One scalar for all components, of any width; the prelude has it.", same, "@, splat_*"},
    {"(T4)x", "splat_T4(x)",
     "A cast of a scalar gives all components its value, in OpenCL C alone. So does a scalar "
     "that initializes, is assigned to, returned as or passed for a vector.", same, "@"},
    {"T4 v = {$, $, $, $}", "T4 v = make_T4($, $, $, $)",
     "Braces around all components, or around vectors that make them up, become the same "
     "function as in a literal."},
    {"vec_step(T4)", "4", "The number of components, 4 for a vector of 3: written as a number."},
    {".s0", ".x",
     "CUDA's vectors of up to 4 components name them x, y, z, w only; those of 8 and 16, which "
     "are the prelude's, s0 to sf."},
    {".s1", ".y",
     "CUDA's vectors of up to 4 components name them x, y, z, w only; those of 8 and 16, which "
     "are the prelude's, s0 to sf."},
    {".s2", ".z",
     "CUDA's vectors of up to 4 components name them x, y, z, w only; those of 8 and 16, which "
     "are the prelude's, s0 to sf."},
    {".s3", ".w",
     "CUDA's vectors of up to 4 components name them x, y, z, w only; those of 8 and 16, which "
     "are the prelude's, s0 to sf."},
    {"T4.xz", "swizzle_xz(v)",
     "CUDA's vectors have no swizzles. The prelude makes a vector of the components that are "
     "named, .lo, .hi, .even, .odd and .s01 among them.", same,
     "@, swizzle, swizzle_*, component selection"},
    {"T4.xz = T2", "set_xz(v, value)",
     "CUDA's vectors have no swizzles. The prelude assigns the components one by one.", same,
     "@, set_*"},
    {"T4.xz++", "increment_after_xz(v)",
     "CUDA's vectors have no swizzles. The prelude counts the components up or down, in front of "
     "the use or behind it.", same, "@, increment_*, decrement_*"},
    {"T4 + T4", "=",
     "CUDA's vectors have no arithmetic. The prelude defines the operators and assignments that "
     "a kernel uses, component by component, for a scalar on either side as well.", same,
     "float4, int4, uint4, double4, float2, int2, uint2, double2, vector arithmetic"},
    {"T4 < T4", "=",
     "On vectors a comparison gives a vector of integers of the same size, -1 where it holds "
     "and 0 elsewhere; so do && and ||. The prelude defines those that a kernel uses."},
    {"T4 ? T4 : T4", "choose(T4, T4, T4)",
     "By components, after the highest bit of each; the prelude has it.", same, "@, choose"},
    {"T << n", "shift_left(T, n)",
     "OpenCL masks the count by the width of the left side, CUDA's hardware clamps it. Where "
     "the count is no literal below the width, the prelude masks it; so for >>, <<= and >>=.",
     same, "@, >>, shift_left, shift_right, shift_left_assign, shift_right_assign, shift"},
};

}  // namespace parallax::row_lists
