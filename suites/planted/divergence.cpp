// Errors planted in the kernels of divergence.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors divergence_errors() {
    return {.small_shape = {{101}},
            .small_constants = {{"GROUP", 32}, {"WARP", 8}, {"ROUNDS", 5}, {"PATHS", 3}},
            .errors = {
                {.variant = "lanes",
                 .name = "last path never taken",
                 .changes = {{"path < paths", "path + 1 < paths"}},
                 .why = "every path changes its values"},
                {.variant = "lanes",
                 .name = "one round short of a path",
                 .changes = {{"r < ROUNDS", "r + 1 < ROUNDS"}},
                 .why = "every round counts, to the last bit"},
                {.variant = "uniform",
                 .name = "warps half as wide",
                 .changes = {{"i / WARP", "i / (WARP / 2)"}},
                 .why = "half of the items take another's path"},
                {.variant = "uniform",
                 .name = "coefficients of the next path",
                 .changes = {{"coefficients[2 * path + 1]", "coefficients[2 * path + 3]"}},
                 .why = "no two paths have the same"},
                {.variant = "lanes",
                 .name = "rounded twice on a path",
                 .changes = {{"fma(x, a, b)", "x * a + b"}},
                 .why = "a chain of fused steps has only one right result, bitwise",
                 .pattern = "random"},
                {.variant = "lanes",
                 .name = "a lane too many",
                 .changes = {{"if (i < n)", "if (i <= n)"}},
                 .finding = ExpectedFinding::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone follows the end"},
            }};
}

}  // namespace parallax
