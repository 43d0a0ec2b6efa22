// Errors planted in the kernels of divergence.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors divergence_errors() {
    return {.small_shape = {{101}},
            .small_constants = {{"GROUP", 32}, {"WARP", 8}, {"ROUNDS", 5}, {"PATHS", 3}},
            .errors = {
                {.suite = "divergence",
                 .variant = "lanes",
                 .name = "last path never taken",
                 .kind = "off by one",
                 .changes = {{"path < paths", "path + 1 < paths"}},
                 .why = "every path changes its values"},
                {.suite = "divergence",
                 .variant = "lanes",
                 .name = "one round short of a path",
                 .kind = "off by one",
                 .changes = {{"r < ROUNDS", "r + 1 < ROUNDS"}},
                 .why = "every round counts, to the last bit"},
                {.suite = "divergence",
                 .variant = "uniform",
                 .name = "warps half as wide",
                 .kind = "wrong stride",
                 .changes = {{"i / WARP", "i / (WARP / 2)"}},
                 .why = "half of the items take another's path"},
                {.suite = "divergence",
                 .variant = "uniform",
                 .name = "coefficients of the next path",
                 .kind = "wrong operand",
                 .changes = {{"coefficients[2 * path + 1]", "coefficients[2 * path + 3]"}},
                 .why = "no two paths have the same"},
                {.suite = "divergence",
                 .variant = "lanes",
                 .name = "rounded twice on a path",
                 .kind = "precision lost",
                 .changes = {{"fma(x, a, b)", "x * a + b"}},
                 .why = "a chain of fused steps has but one right answer, to the bit",
                 .filling = "random"},
                {.suite = "divergence",
                 .variant = "lanes",
                 .name = "a lane too many",
                 .kind = "missing bounds check",
                 .changes = {{"if (i < n)", "if (i <= n)"}},
                 .gate = Gate::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone lies behind the end"},
            }};
}

}  // namespace parallax
