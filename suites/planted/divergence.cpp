// Errors planted in the kernels of divergence.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors divergence_errors() {
    return {.small_shape = {{101}},
            .small_constants = {{"GROUP", 32}, {"WARP", 8}, {"ROUNDS", 5}, {"PATHS", 3}},
            .errors = {
                wrong("lanes", "last path never taken", {{"path < paths", "path + 1 < paths"}},
                      "every path changes its values"),
                wrong("lanes", "one round short of a path", {{"r < ROUNDS", "r + 1 < ROUNDS"}},
                      "every round counts, to the last bit"),
                wrong("uniform", "warps half as wide", {{"i / WARP", "i / (WARP / 2)"}},
                      "half of the items take another's path"),
                wrong("uniform", "coefficients of the next path",
                      {{"coefficients[2 * path + 1]", "coefficients[2 * path + 3]"}},
                      "no two paths have the same"),
                wrong("lanes", "rounded twice on a path", {{"fma(x, a, b)", "x * a + b"}},
                      "a chain of fused steps has only one right result, bitwise",
                      {.pattern = "random"}),
                past_end("lanes", "a lane too many", {{"if (i < n)", "if (i <= n)"}},
                         "a guard zone follows the end"),
            }};
}

}  // namespace parallax
