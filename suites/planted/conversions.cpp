// Errors planted in the kernels of conversions.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors conversions_errors() {
    return {.small_shape = {{37}},
            .small_constants = {{"GROUP", 4}, {"CHAINS", 3}, {"REPEAT", 9}},
            .errors = {
                wrong("float_only", "a double slipped in", {{"return x * 0.9f", "return x * 0.9"}},
                      "the factor is not the same, and less is rounded"),
                wrong("stray_double", "the double taken away",
                      {{"return x * 0.9 ", "return x * 0.9f "}},
                      "the factor is not the same, and more is rounded"),
                wrong("float_only", "product and sum fused",
                      {{"return x * 0.9f + sum", "return fma(x, 0.9f, sum)"}},
                      "one rounding is missing"),
                wrong("float_only", "one product short", {{"k < REPEAT", "k + 1 < REPEAT"}},
                      "every step adds another number"),
            }};
}

}  // namespace parallax
