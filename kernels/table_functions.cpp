// The mapping table of the built-in functions and constants.
#include "kernels/rows.hpp"

namespace parallax {
namespace {

using enum Equivalence;

constexpr Row rows[] = {
    // clang-format off
    {"functions", "fma($, $, $)", "fma($, $, $)",
     "One rounding, exact in both. Kernels say fma where they mean it, because both compilers are "
     "told not to fuse a * b + c by themselves."},
    {"functions", "min($, $)", "min($, $)",
     "The smaller one. For NaN OpenCL promises nothing and CUDA returns the other operand; fmin is "
     "defined in both.", nearly},
    {"functions", "max($, $)", "max($, $)",
     "The larger one. For NaN OpenCL promises nothing and CUDA returns the other operand; fmax is "
     "defined in both.", nearly},
    {"functions", "clamp($, $, $)", "clamp($, $, $)",
     "min(max(x, low), high) in both; CUDA has no such function, the prelude has."},
    {"functions", "abs($)", "unsigned_abs($)",
     "Of integers, and OpenCL's result is unsigned where CUDA's is signed. The prelude's returns "
     "the unsigned one."},
    {"functions", "mul24($, $)", "(($) * ($))",
     "OpenCL defines it only while operands fit in 24 bits, and there a full product is equal."},
    {"functions", "mad24($, $, $)", "(($) * ($) + ($))",
     "OpenCL defines it only while factors fit in 24 bits, and there the full expression is "
     "equal."},
    {"functions", "fabs($)", "fabs($)", "Clears the sign; exact."},
    {"functions", "fmin($, $)", "fmin($, $)", "The smaller one; passes over a NaN."},
    {"functions", "fmax($, $)", "fmax($, $)", "The larger one; passes over a NaN."},
    {"functions", "fdim($, $)", "fdim($, $)", "x - y where that is positive, otherwise 0."},
    {"functions", "floor($)", "floor($)", "Down to an integer; exact."},
    {"functions", "ceil($)", "ceil($)", "Up to an integer; exact."},
    {"functions", "trunc($)", "trunc($)", "Towards zero; exact."},
    {"functions", "round($)", "round($)", "To the nearest integer, halves away from zero; exact."},
    {"functions", "rint($)", "rint($)", "To the nearest integer, halves to even; exact."},
    {"functions", "copysign($, $)", "copysign($, $)", "Exact."},
    {"functions", "ldexp($, $)", "ldexp($, $)", "Times a power of two; rounded correctly."},
    {"functions", "fmod($, $)", "fmod($, $)", "The remainder with the dividend's sign; exact."},
    {"functions", "remainder($, $)", "remainder($, $)", "The IEEE 754 remainder; exact."},
    {"functions", "nextafter($, $)", "nextafter($, $)", "The next number in a direction; exact."},
    {"functions", "isnan($)", "isnan($)",
     "Of a scalar: 1 or 0 in OpenCL, true or false in CUDA, which is the same in arithmetic."},
    {"functions", "isinf($)", "isinf($)", "Of a scalar: 1 or 0, true or false."},
    {"functions", "isfinite($)", "isfinite($)", "Of a scalar: 1 or 0, true or false."},
    {"functions", "signbit($)", "signbit($)", "Of a scalar: 1 or 0, true or false."},

    {"mathematics", "sqrt($)", "sqrt($)",
     "CUDA rounds correctly unless told otherwise. OpenCL allows 3 ULP for float unless the build "
     "says -cl-fp32-correctly-rounded-divide-sqrt.", nearly},
    {"mathematics", "rsqrt($)", "rsqrt($)",
     "OpenCL allows 2 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "cbrt($)", "cbrt($)",
     "OpenCL allows 2 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "hypot($, $)", "hypot($, $)",
     "OpenCL allows 4 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "exp($)", "exp($)",
     "OpenCL allows 3 ULP; CUDA states its own bound. The last bits may differ.", nearly},
    {"mathematics", "exp2($)", "exp2($)",
     "OpenCL allows 3 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "exp10($)", "exp10($)",
     "OpenCL allows 3 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "expm1($)", "expm1($)",
     "OpenCL allows 3 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "log($)", "log($)", "OpenCL allows 3 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "log2($)", "log2($)",
     "OpenCL allows 3 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "log10($)", "log10($)",
     "OpenCL allows 3 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "log1p($)", "log1p($)",
     "OpenCL allows 2 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "pow($, $)", "pow($, $)",
     "OpenCL allows 16 ULP; CUDA states a smaller bound of its own.", nearly},
    {"mathematics", "sin($)", "sin($)", "OpenCL allows 4 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "cos($)", "cos($)", "OpenCL allows 4 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "tan($)", "tan($)", "OpenCL allows 5 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "asin($)", "asin($)",
     "OpenCL allows 4 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "acos($)", "acos($)",
     "OpenCL allows 4 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "atan($)", "atan($)",
     "OpenCL allows 5 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "atan2($, $)", "atan2($, $)",
     "OpenCL allows 6 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "sinh($)", "sinh($)",
     "OpenCL allows 4 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "cosh($)", "cosh($)",
     "OpenCL allows 4 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "tanh($)", "tanh($)",
     "OpenCL allows 5 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "erf($)", "erf($)", "OpenCL allows 16 ULP; CUDA states its own bound.", nearly},
    {"mathematics", "erfc($)", "erfc($)",
     "OpenCL allows 16 ULP; CUDA states its own bound.", nearly},

    {"conversions", "as_float($)", "as_float($)",
     "The same 32 bits as a float. The prelude's takes an int, an unsigned int or a float, so no "
     "value is converted on the way."},
    {"conversions", "as_int($)", "as_int($)", "The same 32 bits as an int, by the prelude."},
    {"conversions", "as_uint($)", "as_uint($)",
     "The same 32 bits as an unsigned int, by the prelude."},
    {"conversions", "convert_float($)", "((float)($))",
     "Rounds to nearest even, as the cast does."},
    {"conversions", "convert_double($)", "((double)($))",
     "Rounds to nearest even, as the cast does."},
    {"conversions", "convert_int($)", "((int)($))",
     "Towards zero, as the cast. What does not fit is implementation-defined in OpenCL.", nearly},
    {"conversions", "convert_uint($)", "((unsigned int)($))",
     "Towards zero, as the cast. What does not fit is implementation-defined in OpenCL.", nearly},
    {"conversions", "convert_long($)", "((long long)($))",
     "Towards zero, as the cast. What does not fit is implementation-defined in OpenCL.", nearly},
    {"conversions", "convert_ulong($)", "((unsigned long long)($))",
     "Towards zero, as the cast. What does not fit is implementation-defined in OpenCL.", nearly},

    {"atomics", "atomic_add($, $)", "atomicAdd($, $)",
     "Returns the value before, orders nothing else."},
    {"atomics", "atomic_sub($, $)", "atomicSub($, $)", "Returns the value before."},
    {"atomics", "atomic_inc($)", "atomicAdd($, 1)",
     "Not atomicInc: CUDA's takes a limit and wraps to 0 there."},
    {"atomics", "atomic_dec($)", "atomicSub($, 1)",
     "Not atomicDec: CUDA's takes a limit and wraps to it at 0."},
    {"atomics", "atomic_xchg($, $)", "atomicExch($, $)", "Stores, and returns the value before."},
    {"atomics", "atomic_cmpxchg($, $, $)", "atomicCAS($, $, $)",
     "The address, what is expected, what is stored: the same order in both."},
    {"atomics", "atomic_min($, $)", "atomicMin($, $)", "Returns the value before."},
    {"atomics", "atomic_max($, $)", "atomicMax($, $)", "Returns the value before."},
    {"atomics", "atomic_and($, $)", "atomicAnd($, $)", "Returns the value before."},
    {"atomics", "atomic_or($, $)", "atomicOr($, $)", "Returns the value before."},
    {"atomics", "atomic_xor($, $)", "atomicXor($, $)", "Returns the value before."},

    {"constants", "INFINITY", "__int_as_float(0x7f800000)", "NVRTC has no header that names it."},
    {"constants", "NAN", "__int_as_float(0x7fc00000)", "NVRTC has no header that names it."},
    {"constants", "FLT_MAX", "0x1.fffffep127f", "NVRTC has no header that names it."},
    {"constants", "FLT_MIN", "0x1.0p-126f", "The smallest normal number, in both."},
    {"constants", "FLT_EPSILON", "0x1.0p-23f", "From 1 to the next float."},
    {"constants", "DBL_MAX", "0x1.fffffffffffffp1023", "NVRTC has no header that names it."},
    {"constants", "DBL_MIN", "0x1.0p-1022", "The smallest normal number, in both."},
    {"constants", "DBL_EPSILON", "0x1.0p-52", "From 1 to the next double."},
    {"constants", "M_PI", "0x1.921fb54442d18p+1", "Pi as a double."},
    {"constants", "M_PI_F", "0x1.921fb6p+1f", "Pi as a float; CUDA has no such name."},
    {"constants", "INT_MAX", "0x7fffffff", "NVRTC has no header that names it."},
    {"constants", "INT_MIN", "(-0x7fffffff - 1)", "NVRTC has no header that names it."},
    {"constants", "UINT_MAX", "0xffffffffu", "NVRTC has no header that names it."},
    {"constants", "LONG_MAX", "0x7fffffffffffffffLL", "64 bits in OpenCL."},
    {"constants", "LONG_MIN", "(-0x7fffffffffffffffLL - 1)", "64 bits in OpenCL."},
    {"constants", "ULONG_MAX", "0xffffffffffffffffULL", "64 bits in OpenCL."},
    // clang-format on
};

}  // namespace

std::span<const Row> function_rows() {
    return rows;
}

}  // namespace parallax
