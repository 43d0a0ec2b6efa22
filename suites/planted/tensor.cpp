// Errors planted in the kernels of tensor.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors tensor_errors() {
    return {
        .small_shape = {{19, 17, 16}},
        .small_constants = {{"TILE", 4}},
        .errors = {
            wrong("plain", "b by columns where it has rows",
                  {{"b[column * k + i], sum);", "b[i * n + column], sum);"}},
                  "no row of b is its column"),
            wrong("plain", "the last column of factors missing",
                  {{"i < k; ++i) sum = fma(a", "i + 1 < k; ++i) sum = fma(a"}}, "no integer is 0"),
            wrong("half_plain", "halves rounded once more",
                  {{"sum = fma(vload_half(row * k + i, a)",
                    "sum = fma(rint(vload_half(row * k + i, a) * 512.0f) / 512.0f"}},
                  "a half has 11 bits, and the bound is that of their sums", {.pattern = "random"}),
            past_end("half_plain", "one row of halves too many",
                     {{"if (row < m && column < n) {\n        float sum",
                       "if (row <= m && column < n) {\n        float sum"}},
                     "a guard zone follows the last row"),
        }};
}

}  // namespace parallax
