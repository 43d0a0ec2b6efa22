// Errors planted in the kernels of ceiling.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors ceiling_errors() {
    return {
        .small_shape = {{101}},
        .small_constants = {{"GROUP", 32}, {"CHAINS", 3}, {"UNROLL", 2}, {"ROUNDS", 3}},
        .errors = {
            {.variant = "fma",
             .name = "one chain too many",
             .changes = {{"if (i < n)", "if (i <= n)"}},
             .finding = ExpectedFinding::behind,
             .oclgrind = Oclgrind::outside,
             .why = "the last chain of item n is past the end of the buffer"},
            {.variant = "fma",
             .name = "last item idle",
             .changes = {{"if (i < n)", "if (i + 1 < n)"}},
             .why = "its outputs keep the poison"},
            {.variant = "fma",
             .name = "two roundings for one",
             .changes = {{"fma(x[c], a, b)", "x[c] * a + b"}},
             .why = "a chain of fused steps has only one right result, bitwise",
             .pattern = "random"},
            {.variant = "fma",
             .name = "wrong coefficient",
             .changes = {{"coefficients[1]", "coefficients[0]"}},
             .why = "both are 1 with the integers, but not with the random inputs",
             .pattern = "random"},
            {.variant = "fma",
             .name = "one step short",
             .changes = {{"s < UNROLL", "s + 1 < UNROLL"}},
             .why = "every step adds 1 to an integer"},
            {.variant = "fma",
             .name = "chains interleaved",
             .changes = {{"out[c * n + i]", "out[i * CHAINS + c]"}},
             .why = "neighbouring starts differ"},
            {.variant = "fma",
             .name = "first chain never stored",
             .changes = {{"for (uint c = 0; c < CHAINS; ++c) out",
                          "for (uint c = 1; c < CHAINS; ++c) out"}},
             .why = "it keeps the poison"},
            {.variant = "fma",
             .name = "chains in float",
             .changes = {{"const T a", "const float a"},
                         {"const T b", "const float b"},
                         {"T x[CHAINS]", "float x[CHAINS]"}},
             .why = "the integers fit in a float, the random doubles do not",
             .pattern = "random",
             .type = ElementType::f64},
            {.variant = "fma",
             .name = "input overwritten",
             .changes =
                 {{"x[c] = in[c * n + i];",
                   "{\n            x[c] = in[c * n + i];\n            ((__global T*)in)[c * n + "
                   "i] = x[c] + 1;\n        }"}},
             .finding = ExpectedFinding::altered,
             .why = "inputs are read back and compared"},
        }};
}

}  // namespace parallax
