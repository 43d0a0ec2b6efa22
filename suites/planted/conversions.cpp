// Errors planted in the kernels of conversions.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors conversions_errors() {
    return {.small_shape = {{37}},
            .small_constants = {{"GROUP", 4}, {"CHAINS", 3}, {"REPEAT", 9}},
            .errors = {
                {.variant = "float_only",
                 .name = "a double slipped in",
                 .changes = {{"return x * 0.9f", "return x * 0.9"}},
                 .why = "the factor is not the same, and less is rounded"},
                {.variant = "stray_double",
                 .name = "the double taken away",
                 .changes = {{"return x * 0.9 ", "return x * 0.9f "}},
                 .why = "the factor is not the same, and more is rounded"},
                {.variant = "float_only",
                 .name = "product and sum fused",
                 .changes = {{"return x * 0.9f + sum", "return fma(x, 0.9f, sum)"}},
                 .why = "one rounding is missing"},
                {.variant = "float_only",
                 .name = "one product short",
                 .changes = {{"k < REPEAT", "k + 1 < REPEAT"}},
                 .why = "every step adds another number"},
            }};
}

}  // namespace parallax
