// Errors planted in the kernels of functions.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors functions_errors() {
    return {
        .small_shape = {{37}},
        .small_constants = {{"GROUP", 4}, {"CHAINS", 3}, {"REPEAT", 5}},
        .errors = {
            {.suite = "functions",
             .variant = "precise",
             .name = "one application short",
             .kind = "off by one",
             .changes = {{"k < REPEAT", "k + 1 < REPEAT"}},
             .why = "the last argument is another one"},
            {.suite = "functions",
             .variant = "precise",
             .name = "cosine for sine",
             .kind = "wrong function",
             .changes = {{"return sin(x)", "return cos(x)"}},
             .why = "they differ by far more than 4 units"},
            {.suite = "functions",
             .variant = "precise",
             .name = "logarithm of half the precision",
             .kind = "precision lost",
             .changes = {{"return log(x)", "return as_float((as_uint(log(x)) + 0x80) & ~0xFFu)"}},
             .why = "8 bits less are up to 128 units in the last place",
             .constants = {{"FUNCTION", 3}}},
            {.suite = "functions",
             .variant = "native",
             .name = "sine by its first terms",
             .kind = "precision lost",
             .changes = {{"return native_sin(x)",
                          "return x - x * x * x / 6 + x * x * x * x * x / "
                          "120"}},
             .why = "the next term is larger than 2^-21 for nearly all arguments"},
            {.suite = "functions",
             .variant = "relaxed",
             .name = "quotient upside down",
             .kind = "wrong operand",
             .changes = {{"return x / y", "return y / x"}},
             .why = "arguments and divisors differ",
             .constants = {{"FUNCTION", 6}}},
            {.suite = "functions",
             .variant = "precise",
             .name = "last chains never stored",
             .kind = "output never written",
             .changes = {{"if (c * items + i < n) out",
                          "if (c + 1 < CHAINS && c * items + i < n) out"}},
             .why = "they keep the poison"},
            {.suite = "functions",
             .variant = "precise",
             .name = "chains behind the end",
             .kind = "missing bounds check",
             .changes = {{"if (c * items + i < n) out", "if (c < CHAINS) out"}},
             .gate = Gate::behind,
             .oclgrind = Oclgrind::outside,
             .why = "2053 values are no multiple of CHAINS"},
        }};
}

}  // namespace parallax
