// Functions of integers.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_integers[] = {
    {"abs($)", "unsigned_abs($)",
     "Of integers, and OpenCL's result is unsigned where CUDA's is signed. The prelude's "
     "returns the unsigned one."},
    {"mul24($, $)", "(($) * ($))",
     "OpenCL defines it only while operands fit in 24 bits, and there a full product is equal. "
     "For int and uint alone: some compilers call operands of size_t ambiguous.",
     same, "__mul24, __umul24"},
    {"mad24($, $, $)", "(($) * ($) + ($))",
     "OpenCL defines it only while factors fit in 24 bits, and there the full expression is "
     "equal."},
    {"abs_diff($, $)", "=",
     "|x - y| without overflow, unsigned. The prelude has it for all integers.", same, "@"},
    {"add_sat($, $)", "=", "The sum, kept within the type. The prelude has it for all integers.",
     same, "@"},
    {"sub_sat($, $)", "=",
     "The difference, kept within the type. The prelude has it for all integers.", same, "@"},
    {"mad_sat($, $, $)", "=",
     "a * b + c, kept within the type. The prelude has it for all integers.", same, "@"},
    {"hadd($, $)", "=", "(x + y) >> 1 without overflow. The prelude has it for all integers.", same,
     "@__hadd, @__uhadd"},
    {"rhadd($, $)", "=", "(x + y + 1) >> 1 without overflow. The prelude has it for all integers.",
     same, "@__rhadd, @__urhadd"},
    {"clz($)", "=",
     "Counts leading zeros in the type's own width, and gives the width for 0. CUDA's __clz "
     "counts in 32 bits, which the prelude puts right.", same, "@__clz, @__clzll, leading zeros"},
    {"ctz($)", "=",
     "Counts trailing zeros, and gives the width for 0. CUDA's __ffs counts from 1.", same,
     "@__ffs, @__ffsll, trailing zeros"},
    {"popcount($)", "=",
     "Counts the bits that are set, in the type's own width. The prelude has it for all "
     "integers.", same, "@__popc, @__popcll"},
    {"mul_hi($, $)", "=",
     "The upper half of the product; CUDA has it for 32 and 64 bits under other names.", same,
     "@__mulhi, @__umulhi"},
    {"mad_hi($, $, $)", "=", "mul_hi(a, b) + c. The prelude has it for all integers.", same, "@"},
    {"rotate($, $)", "=",
     "Bits that leave on the left come back on the right, in the type's own width. The prelude "
     "has it for all integers.", same, "@__funnelshift_l, __funnelshift_r"},
    {"upsample($, $)", "=",
     "Two integers side by side in one of twice the width. The prelude has it for all integers.",
     same, "@"},
    {"bit_reverse(), bitfield_*()", "",
     "Of the extension cl_khr_extended_bit_ops, which is not translated. Write it with shifts and "
     "masks; CUDA's own is __brev().", none, "__brev, __brevll, reverse bits"},
    {"dot_acc_sat(), dot_4x8packed_*(), dot_acc_sat_4x8packed_*()", "",
     "Of the extension cl_khr_integer_dot_product, which is not translated. Write the products and "
     "their sum; CUDA's own is __dp4a().", none, "__dp4a, __dp2a, integer dot product"},
};

}  // namespace parallax::row_lists
