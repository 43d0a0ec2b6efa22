// Errors planted in the kernels of conversions.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors conversions_errors() {
    return {.small_shape = {{37}},
            .small_constants = {{"GROUP", 4}, {"CHAINS", 3}, {"REPEAT", 9}},
            .errors = {
                {.suite = "conversions",
                 .variant = "float_only",
                 .name = "a double slipped in",
                 .kind = "wrong conversion",
                 .changes = {{"return x * 0.9f", "return x * 0.9"}},
                 .why = "the factor is not the same, and less is rounded"},
                {.suite = "conversions",
                 .variant = "stray_double",
                 .name = "the double taken away",
                 .kind = "wrong conversion",
                 .changes = {{"return x * 0.9 ", "return x * 0.9f "}},
                 .why = "the factor is not the same, and more is rounded"},
                {.suite = "conversions",
                 .variant = "float_only",
                 .name = "product and sum fused",
                 .kind = "precision lost",
                 .changes = {{"return x * 0.9f + sum", "return fma(x, 0.9f, sum)"}},
                 .why = "one rounding is missing"},
                {.suite = "conversions",
                 .variant = "float_only",
                 .name = "one product short",
                 .kind = "off by one",
                 .changes = {{"k < REPEAT", "k + 1 < REPEAT"}},
                 .why = "every step adds another number"},
            }};
}

}  // namespace parallax
