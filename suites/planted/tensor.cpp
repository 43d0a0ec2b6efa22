// Errors planted in the kernels of tensor.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors tensor_errors() {
    return {.small_shape = {{19, 17, 16}},
            .small_constants = {{"TILE", 4}},
            .errors = {
                {.variant = "plain",
                 .name = "b by columns where it has rows",
                 .changes = {{"b[column * k + i], sum);", "b[i * n + column], sum);"}},
                 .why = "no row of b is its column"},
                {.variant = "plain",
                 .name = "the last column of factors missing",
                 .changes = {{"i < k; ++i) sum = fma(a", "i + 1 < k; ++i) sum = fma(a"}},
                 .why = "no integer is 0"},
                {.variant = "half_plain",
                 .name = "halves rounded once more",
                 .changes = {{"sum = fma(vload_half(row * k + i, a)",
                              "sum = fma(rint(vload_half(row * k + i, a) * 512.0f) / 512.0f"}},
                 .why = "a half has 11 bits, and the bound is that of their sums",
                 .pattern = "random"},
                {.variant = "half_plain",
                 .name = "one row of halves too many",
                 .changes = {{"if (row < m && column < n) {\n        float sum",
                              "if (row <= m && column < n) {\n        float sum"}},
                 .finding = ExpectedFinding::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone follows the last row"},
            }};
}

}  // namespace parallax
