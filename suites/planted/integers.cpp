// Errors planted in the kernels of integers.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors integers_errors() {
    return {
        .small_shape = {{37}},
        .small_constants = {{"GROUP", 4}, {"CHAINS", 3}, {"REPEAT", 9}},
        .errors = {
            wrong("divide", "one division short", {{"k < REPEAT", "k + 1 < REPEAT"}},
                  "the sum differs from step to step", {.type = ElementType::i32}),
            wrong("divide", "quotient through float",
                  {{"x / divisor", "(uint)((float)x / (float)divisor)"}},
                  "a float has 24 bits, a quotient by 3 more",
                  {.type = ElementType::i32, .constants = {{"DIVISOR", 3}}}),
            wrong("modulo", "mask for any divisor",
                  {{"(x >> 8) % divisor", "((x >> 8) & (divisor - 1))"}}, "7 is no power of two",
                  {.type = ElementType::i32, .constants = {{"DIVISOR", 7}}}),
            wrong("divide_signed", "shift of a signed number",
                  {{"((int)x / DIVISOR)", "((int)x >> 6)"}},
                  "a shift rounds down, a division towards 0", {.type = ElementType::i32}),
            wrong("mad24", "factors of 16 bits",
                  {{"mad24(x >> 8, factor, sum)", "mad24(x >> 8, factor & 0xFFFF, sum)"}},
                  "the factor has 24", {.type = ElementType::i32}),
            past_end("shift", "values behind the end",
                     {{"if (c * items + i < n) out", "if (c < CHAINS) out"}},
                     "2053 values are no multiple of CHAINS", {.type = ElementType::i32}),
        }};
}

}  // namespace parallax
