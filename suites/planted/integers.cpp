// Errors planted in the kernels of integers.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors integers_errors() {
    return {.small_shape = {{37}},
            .small_constants = {{"GROUP", 4}, {"CHAINS", 3}, {"REPEAT", 9}},
            .errors = {
                {.variant = "divide",
                 .name = "one division short",
                 .changes = {{"k < REPEAT", "k + 1 < REPEAT"}},
                 .why = "the sum differs from step to step",
                 .type = ElementType::i32},
                {.variant = "divide",
                 .name = "quotient through float",
                 .changes = {{"x / divisor", "(uint)((float)x / (float)divisor)"}},
                 .why = "a float has 24 bits, a quotient by 3 more",
                 .type = ElementType::i32,
                 .constants = {{"DIVISOR", 3}}},
                {.variant = "modulo",
                 .name = "mask for any divisor",
                 .changes = {{"(x >> 8) % divisor", "((x >> 8) & (divisor - 1))"}},
                 .why = "7 is no power of two",
                 .type = ElementType::i32,
                 .constants = {{"DIVISOR", 7}}},
                {.variant = "divide_signed",
                 .name = "shift of a signed number",
                 .changes = {{"((int)x / DIVISOR)", "((int)x >> 6)"}},
                 .why = "a shift rounds down, a division towards 0",
                 .type = ElementType::i32},
                {.variant = "mad24",
                 .name = "factors of 16 bits",
                 .changes = {{"mad24(x >> 8, factor, sum)", "mad24(x >> 8, factor & 0xFFFF, sum)"}},
                 .why = "the factor has 24",
                 .type = ElementType::i32},
                {.variant = "shift",
                 .name = "values behind the end",
                 .changes = {{"if (c * items + i < n) out", "if (c < CHAINS) out"}},
                 .finding = ExpectedFinding::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "2053 values are no multiple of CHAINS",
                 .type = ElementType::i32},
            }};
}

}  // namespace parallax
