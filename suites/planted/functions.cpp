// Errors planted in the kernels of functions.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors functions_errors() {
    return {
        .small_shape = {{37}},
        .small_constants = {{"GROUP", 4}, {"CHAINS", 3}, {"REPEAT", 5}},
        .errors = {
            {.variant = "precise",
             .name = "one application short",
             .changes = {{"k < REPEAT", "k + 1 < REPEAT"}},
             .why = "the last argument is another one"},
            {.variant = "precise",
             .name = "cosine for sine",
             .changes = {{"return sin(x)", "return cos(x)"}},
             .why = "they differ by far more than 4 units"},
            {.variant = "precise",
             .name = "logarithm of half the precision",
             .changes = {{"return log(x)", "return as_float((as_uint(log(x)) + 0x80) & ~0xFFu)"}},
             .why = "8 bits less are up to 128 units in the last place",
             .constants = {{"FUNCTION", 3}}},
            {.variant = "native",
             .name = "sine by its first terms",
             .changes = {{"return native_sin(x)",
                          "return x - x * x * x / 6 + x * x * x * x * x / "
                          "120"}},
             .why = "the next term is larger than 2^-21 for nearly all arguments"},
            {.variant = "relaxed",
             .name = "quotient upside down",
             .changes = {{"return x / y", "return y / x"}},
             .why = "arguments and divisors differ",
             .constants = {{"FUNCTION", 6}}},
            {.variant = "precise",
             .name = "last chains never stored",
             .changes = {{"if (c * items + i < n) out",
                          "if (c + 1 < CHAINS && c * items + i < n) out"}},
             .why = "they keep the poison"},
            {.variant = "precise",
             .name = "chains behind the end",
             .changes = {{"if (c * items + i < n) out", "if (c < CHAINS) out"}},
             .finding = ExpectedFinding::behind,
             .oclgrind = Oclgrind::outside,
             .why = "2053 values are no multiple of CHAINS"},
        }};
}

}  // namespace parallax
