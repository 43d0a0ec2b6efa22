// The mapping table of the functions that are exact or written out, and of the geometric ones.
#include "mapping/table/rows.hpp"

namespace parallax {
namespace {

using enum Equivalence;

constexpr Row rows[] = {
    // clang-format off
    {"functions", "fma($, $, $)", "fma($, $, $)",
     "One rounding, exact in both. Kernels say fma where they mean it, because both compilers "
     "are told not to fuse a * b + c by themselves."},
    {"functions", "mad($, $, $)", "mad($, $, $)",
     "OpenCL leaves its rounding open. The prelude's is a * b + c with two roundings, "
     "as both sides are built without contraction.", nearly},
    {"functions", "min($, $)", "min($, $)",
     "The smaller one. For NaN OpenCL promises nothing and CUDA returns the other "
     "operand; fmin is defined in both. Of char and short CUDA's gives an int, the "
     "prelude's the type itself.", nearly},
    {"functions", "max($, $)", "max($, $)",
     "The larger one. For NaN OpenCL promises nothing and CUDA returns the other "
     "operand; fmax is defined in both. Of char and short CUDA's gives an int, the "
     "prelude's the type itself.", nearly},
    {"functions", "clamp($, $, $)", "clamp($, $, $)",
     "min(max(x, low), high) in both; CUDA has no such function, the prelude has."},
    {"functions", "fabs($)", "fabs($)", "Clears the sign; exact."},
    {"functions", "floor($)", "floor($)", "Down to an integer; exact."},
    {"functions", "ceil($)", "ceil($)", "Up to an integer; exact."},
    {"functions", "trunc($)", "trunc($)", "Towards zero; exact."},
    {"functions", "round($)", "round($)", "To the nearest integer, halves away from zero; exact."},
    {"functions", "rint($)", "rint($)", "To the nearest integer, halves to even; exact."},
    {"functions", "fmin($, $)", "fmin($, $)", "The smaller one; passes over a NaN."},
    {"functions", "fmax($, $)", "fmax($, $)", "The larger one; passes over a NaN."},
    {"functions", "fdim($, $)", "fdim($, $)", "x - y where that is positive, otherwise 0."},
    {"functions", "copysign($, $)", "copysign($, $)", "Exact."},
    {"functions", "ldexp($, $)", "ldexp($, $)", "Times a power of two; rounded correctly."},
    {"functions", "fmod($, $)", "fmod($, $)", "The remainder with the dividend's sign; exact."},
    {"functions", "remainder($, $)", "remainder($, $)", "The IEEE 754 remainder; exact."},
    {"functions", "nextafter($, $)", "nextafter($, $)", "The next number in a direction; exact."},
    {"functions", "frexp($, $)", "frexp($, $)", "A number in [0.5, 1) and a power of two; exact."},
    {"functions", "modf($, $)", "modf($, $)",
     "The part behind the point and, through the pointer, the whole one; exact."},
    {"functions", "fract($, $)", "fract($, $)",
     "x - floor(x), always below 1; floor(x) through the pointer. The prelude has it."},
    {"functions", "remquo($, $, $)", "remquo($, $, $)",
     "The IEEE 754 remainder; exact. OpenCL wants 7 bits of the quotient and CUDA's function "
     "keeps 3, so the prelude counts them."},
    {"functions", "ilogb($)", "ilogb($)",
     "The exponent. For 0, infinity and NaN each side has its own values.", nearly},
    {"functions", "logb($)", "logb($)", "The exponent as a float; exact."},
    {"functions", "maxmag($, $)", "maxmag($, $)", "The one further from 0; the prelude has it."},
    {"functions", "minmag($, $)", "minmag($, $)", "The one nearer to 0; the prelude has it."},
    {"functions", "nan($)", "nan($)",
     "A quiet NaN with the code in its low bits, by the prelude; CUDA's own takes a string."},
    {"functions", "sign($)", "sign($)",
     "1, -1, the zero itself, and 0 for NaN; the prelude has it."},
    {"functions", "step($, $)", "step($, $)", "0 below the edge, otherwise 1; the prelude has it."},
    {"functions", "degrees($)", "degrees($)",
     "x * (180 / pi), rounded once more on each side's own way.", nearly},
    {"functions", "radians($)", "radians($)",
     "x * (pi / 180), rounded once more on each side's own way.", nearly},
    {"functions", "mix($, $, $)", "mix($, $, $)",
     "a + (b - a) * t. OpenCL lets an implementation fuse it; the prelude does not.", nearly},
    {"functions", "smoothstep($, $, $)", "smoothstep($, $, $)",
     "t * t * (3 - 2 * t) with t clamped to 0 ... 1. OpenCL lets an implementation "
     "fuse it; the prelude does not.", nearly},
    {"functions", "dot($, $)", "dot($, $)",
     "The sum of products from the first component on. OpenCL does not fix the order "
     "or fuse.", nearly},
    {"functions", "cross($, $)", "cross($, $)",
     "Three differences of products; of a vector of 4 the last component is 0.", nearly},
    {"functions", "length($)", "length($)",
     "The root of the sum of squares; the prelude scales where the squares would "
     "overflow or vanish.", nearly},
    {"functions", "distance($, $)", "distance($, $)", "The length of the difference.", nearly},
    {"functions", "normalize($)", "normalize($)",
     "The vector divided by its length; zeros stay, infinities count as 1.", nearly},
    {"functions", "fast_length($)", "fast_length($)",
     "The root of the sum of squares, which may overflow.", nearly},
    {"functions", "fast_distance($, $)", "fast_distance($, $)",
     "The root of the sum of squares, which may overflow.", nearly},
    {"functions", "fast_normalize($)", "fast_normalize($)",
     "The vector times the reciprocal root of the sum of squares.", nearly},
    {"functions", "isequal($, $)", "isequal($, $)",
     "The comparison ==; of scalars 1 or 0, of vectors -1 or 0 by components."},
    {"functions", "isnotequal($, $)", "isnotequal($, $)",
     "The comparison !=; of scalars 1 or 0, of vectors -1 or 0 by components."},
    {"functions", "isgreater($, $)", "isgreater($, $)",
     "The comparison >; of scalars 1 or 0, of vectors -1 or 0 by components."},
    {"functions", "isgreaterequal($, $)", "isgreaterequal($, $)",
     "The comparison >=; of scalars 1 or 0, of vectors -1 or 0 by components."},
    {"functions", "isless($, $)", "isless($, $)",
     "The comparison <; of scalars 1 or 0, of vectors -1 or 0 by components."},
    {"functions", "islessequal($, $)", "islessequal($, $)",
     "The comparison <=; of scalars 1 or 0, of vectors -1 or 0 by components."},
    {"functions", "islessgreater($, $)", "islessgreater($, $)",
     "a < b or a > b: false where one is NaN."},
    {"functions", "isordered($, $)", "isordered($, $)", "Neither is NaN."},
    {"functions", "isunordered($, $)", "isunordered($, $)", "One is NaN."},
    {"functions", "isnan($)", "isnan($)",
     "Of a scalar: 1 or 0 in OpenCL, true or false in CUDA, which is the same in arithmetic. "
     "Of vectors -1 or 0 by components."},
    {"functions", "isinf($)", "isinf($)",
     "Of a scalar: 1 or 0 in OpenCL, true or false in CUDA, which is the same in arithmetic. "
     "Of vectors -1 or 0 by components."},
    {"functions", "isfinite($)", "isfinite($)",
     "Of a scalar: 1 or 0 in OpenCL, true or false in CUDA, which is the same in arithmetic. "
     "Of vectors -1 or 0 by components."},
    {"functions", "signbit($)", "signbit($)",
     "Of a scalar: 1 or 0 in OpenCL, true or false in CUDA, which is the same in arithmetic. "
     "Of vectors -1 or 0 by components."},
    {"functions", "isnormal($)", "isnormal($)",
     "Neither 0, denormal, infinite nor NaN; the prelude has it."},
    {"functions", "any($)", "any($)",
     "Of a vector: whether a component's highest bit is set; the prelude has it."},
    {"functions", "all($)", "all($)",
     "Of a vector: whether every component's highest bit is set; the prelude has it."},
    {"functions", "select($, $, $)", "select($, $, $)",
     "b where c is true, otherwise a; by components the highest bit of c decides. CUDA has no "
     "such function."},
    {"functions", "bitselect($, $, $)", "bitselect($, $, $)",
     "Bits of b where c has a 1, of a elsewhere; the prelude has it."},
    {"functions", "shuffle($, $)", "shuffle($, $)",
     "Components chosen by a mask at run time; the prelude has it."},
    {"functions", "shuffle2($, $, $)", "shuffle2($, $, $)",
     "Components of two vectors chosen by a mask at run time; the prelude has it."},
    // clang-format on
};

}  // namespace

std::span<const Row> function_rows() {
    return rows;
}

}  // namespace parallax
