// Errors planted in the kernels of ceiling.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors ceiling_errors() {
    return {
        .small_shape = {{101}},
        .small_constants = {{"GROUP", 32}, {"CHAINS", 3}, {"UNROLL", 2}, {"ROUNDS", 3}},
        .errors = {
            past_end("fma", "one chain too many", {{"if (i < n)", "if (i <= n)"}},
                     "the last chain of item n is past the end of the buffer"),
            wrong("fma", "last item idle", {{"if (i < n)", "if (i + 1 < n)"}},
                  "its outputs keep the poison"),
            wrong("fma", "two roundings for one", {{"fma(x[c], a, b)", "x[c] * a + b"}},
                  "a chain of fused steps has only one right result, bitwise",
                  {.pattern = "random"}),
            wrong("fma", "wrong coefficient", {{"coefficients[1]", "coefficients[0]"}},
                  "both are 1 with the integers, but not with the random inputs",
                  {.pattern = "random"}),
            wrong("fma", "one step short", {{"s < UNROLL", "s + 1 < UNROLL"}},
                  "every step adds 1 to an integer"),
            wrong("fma", "chains interleaved", {{"out[c * n + i]", "out[i * CHAINS + c]"}},
                  "neighbouring starts differ"),
            wrong("fma", "first chain never stored",
                  {{"for (uint c = 0; c < CHAINS; ++c) out",
                    "for (uint c = 1; c < CHAINS; ++c) out"}},
                  "it keeps the poison"),
            wrong("fma", "chains in float",
                  {{"const T a", "const float a"},
                   {"const T b", "const float b"},
                   {"T x[CHAINS]", "float x[CHAINS]"}},
                  "the integers fit in a float, the random doubles do not",
                  {.pattern = "random", .type = ElementType::f64}),
            wrong("fma", "input overwritten",
                  {{"x[c] = in[c * n + i];",
                    "{\n            x[c] = in[c * n + i];\n            ((__global T*)in)[c * n + "
                    "i] = x[c] + 1;\n        }"}},
                  "inputs are read back and compared", {.finding = ExpectedFinding::altered}),
        }};
}

}  // namespace parallax
