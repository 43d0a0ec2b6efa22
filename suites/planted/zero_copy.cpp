// Errors planted in the kernels of zero_copy.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors zero_copy_errors() {
    return {
        .small_shape = {{67}},
        .small_constants = {{"GROUP", 16}, {"USES", 3}},
        .errors = {
            wrong("mapped", "read behind the end",
                  {{"in[(i + u * (n / USES)) % n]", "in[i + u * (n / USES)]"}},
                  "the second time round, most of it lies in a guard zone or behind it",
                  {.oclgrind = Oclgrind::outside, .constants = {{"USES", 2}}, .shape = {{257}}}),
            wrong("copied", "one use too few", {{"u < USES", "u + 1 < USES"}},
                  "no sum stays what it was"),
            past_end("mapped_in", "one word too many", {{"if (i < n)", "if (i <= n)"}},
                     "a guard zone follows the end"),
            wrong("mapped_out", "every second word left out of a sum",
                  {{"sum = sum * 31u + in[", "sum = u % 2 == 1 ? sum : sum * 31u + in["}},
                  "the second use of a word changes every sum", {.constants = {{"USES", 2}}}),
        }};
}

}  // namespace parallax
