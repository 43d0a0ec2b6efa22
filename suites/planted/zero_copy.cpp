// Errors planted in the kernels of zero_copy.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors zero_copy_errors() {
    return {.small_shape = {{67}},
            .small_constants = {{"GROUP", 16}, {"USES", 3}},
            .errors = {
                {.variant = "mapped",
                 .name = "read behind the end",
                 .changes = {{"in[(i + u * (n / USES)) % n]", "in[i + u * (n / USES)]"}},
                 .finding = ExpectedFinding::wrong,
                 .oclgrind = Oclgrind::outside,
                 .why = "the second time round, most of it lies in a guard zone or behind it",
                 .constants = {{"USES", 2}},
                 .shape = {{257}}},
                {.variant = "copied",
                 .name = "one use too few",
                 .changes = {{"u < USES", "u + 1 < USES"}},
                 .why = "no sum stays what it was"},
                {.variant = "mapped_in",
                 .name = "one word too many",
                 .changes = {{"if (i < n)", "if (i <= n)"}},
                 .finding = ExpectedFinding::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone follows the end"},
                {.variant = "mapped_out",
                 .name = "every second word left out of a sum",
                 .changes = {{"sum = sum * 31u + in[", "sum = u % 2 == 1 ? sum : sum * 31u + in["}},
                 .why = "the second use of a word changes every sum",
                 .constants = {{"USES", 2}}},
            }};
}

}  // namespace parallax
