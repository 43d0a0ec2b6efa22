// Errors planted in the kernels of functions.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors functions_errors() {
    return {
        .small_shape = {{37}},
        .small_constants = {{"GROUP", 4}, {"CHAINS", 3}, {"REPEAT", 5}},
        .errors = {
            wrong("precise", "one application short", {{"k < REPEAT", "k + 1 < REPEAT"}},
                  "the last argument is another one"),
            wrong("precise", "cosine for sine", {{"return sin(x)", "return cos(x)"}},
                  "they differ by far more than 4 units"),
            wrong("precise", "logarithm of half the precision",
                  {{"return log(x)", "return as_float((as_uint(log(x)) + 0x80) & ~0xFFu)"}},
                  "8 bits less are up to 128 units in the last place",
                  {.constants = {{"FUNCTION", 3}}}),
            wrong("native", "sine by its first terms",
                  {{"return native_sin(x)", "return x - x * x * x / 6 + x * x * x * x * x / 120"}},
                  "the next term is larger than 2^-21 for nearly all arguments"),
            wrong("relaxed", "quotient upside down", {{"return x / y", "return y / x"}},
                  "arguments and divisors differ", {.constants = {{"FUNCTION", 6}}}),
            wrong("precise", "last chains never stored",
                  {{"if (c * items + i < n) out", "if (c + 1 < CHAINS && c * items + i < n) out"}},
                  "they keep the poison"),
            past_end("precise", "chains behind the end",
                     {{"if (c * items + i < n) out", "if (c < CHAINS) out"}},
                     "2053 values are no multiple of CHAINS"),
        }};
}

}  // namespace parallax
