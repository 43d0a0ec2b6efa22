// The mapping table of the integer functions.
#include "mapping/table/rows.hpp"

namespace parallax {
namespace {

constexpr Row rows[] = {
    // clang-format off
    {"integers", "abs($)", "unsigned_abs($)",
     "Of integers, and OpenCL's result is unsigned where CUDA's is signed. The prelude's "
     "returns the unsigned one."},
    {"integers", "mul24($, $)", "(($) * ($))",
     "OpenCL defines it only while operands fit in 24 bits, and there a full product is equal."},
    {"integers", "mad24($, $, $)", "(($) * ($) + ($))",
     "OpenCL defines it only while factors fit in 24 bits, and there the full expression is "
     "equal."},
    {"integers", "abs_diff($, $)", "abs_diff($, $)",
     "|x - y| without overflow, unsigned. The prelude has it for all integers."},
    {"integers", "add_sat($, $)", "add_sat($, $)",
     "The sum, kept within the type. The prelude has it for all integers."},
    {"integers", "sub_sat($, $)", "sub_sat($, $)",
     "The difference, kept within the type. The prelude has it for all integers."},
    {"integers", "mad_sat($, $, $)", "mad_sat($, $, $)",
     "a * b + c, kept within the type. The prelude has it for all integers."},
    {"integers", "hadd($, $)", "hadd($, $)",
     "(x + y) >> 1 without overflow. The prelude has it for all integers."},
    {"integers", "rhadd($, $)", "rhadd($, $)",
     "(x + y + 1) >> 1 without overflow. The prelude has it for all integers."},
    {"integers", "clz($)", "clz($)",
     "Leading zeros in the type's own width; CUDA's __clz counts in 32 bits, so the prelude "
     "corrects for it. Of 0: the width."},
    {"integers", "ctz($)", "ctz($)", "Trailing zeros; of 0 the width. CUDA's __ffs counts from 1."},
    {"integers", "popcount($)", "popcount($)",
     "Bits that are set, in the type's own width. The prelude has it for all integers."},
    {"integers", "mul_hi($, $)", "mul_hi($, $)",
     "The upper half of the product; CUDA has it for 32 and 64 bits under other names."},
    {"integers", "mad_hi($, $, $)", "mad_hi($, $, $)",
     "mul_hi(a, b) + c. The prelude has it for all integers."},
    {"integers", "rotate($, $)", "rotate($, $)",
     "Bits that leave on the left come back on the right, in the type's own width. The prelude "
     "has it for all integers."},
    {"integers", "upsample($, $)", "upsample($, $)",
     "Two integers side by side in one of twice the width. The prelude has it for all "
     "integers."},
    // clang-format on
};

}  // namespace

std::span<const Row> integer_rows() {
    return rows;
}

}  // namespace parallax
