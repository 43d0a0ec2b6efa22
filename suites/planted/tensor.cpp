// Errors planted in the kernels of tensor.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors tensor_errors() {
    return {.small_shape = {{19, 17, 16}},
            .small_constants = {{"TILE", 4}},
            .errors = {
                {.suite = "tensor",
                 .variant = "plain",
                 .name = "b by columns where it has rows",
                 .kind = "swapped dimension",
                 .changes = {{"b[column * k + i], sum);", "b[i * n + column], sum);"}},
                 .why = "no row of b is its column"},
                {.suite = "tensor",
                 .variant = "plain",
                 .name = "the last column of factors missing",
                 .kind = "lost term",
                 .changes = {{"i < k; ++i) sum = fma(a", "i + 1 < k; ++i) sum = fma(a"}},
                 .why = "no integer is 0"},
                {.suite = "tensor",
                 .variant = "half_plain",
                 .name = "halves rounded once more",
                 .kind = "precision lost",
                 .changes = {{"sum = fma(vload_half(row * k + i, a)",
                              "sum = fma(rint(vload_half(row * k + i, a) * 512.0f) / 512.0f"}},
                 .why = "a half has 11 bits, and the bound is that of their sums",
                 .filling = "random"},
                {.suite = "tensor",
                 .variant = "half_plain",
                 .name = "one row of halves too many",
                 .kind = "missing bounds check",
                 .changes = {{"if (row < m && column < n) {\n        float sum",
                              "if (row <= m && column < n) {\n        float sum"}},
                 .gate = Gate::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone lies behind the last row"},
            }};
}

}  // namespace parallax
