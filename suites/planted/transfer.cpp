// Errors planted in the kernels of transfer.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors transfer_errors() {
    return {.small_shape = {{67}},
            .small_constants = {},
            .errors = {
                {.variant = "to_device_by_kernel",
                 .name = "one word too many",
                 .changes = {{"if (i < n)", "if (i <= n)"}},
                 .finding = ExpectedFinding::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone follows the end"},
                {.variant = "to_device_by_kernel",
                 .name = "last word lost",
                 .changes = {{"if (i < n)", "if (i + 1 < n)"}},
                 .why = "it keeps the poison"},
                {.variant = "from_device_by_kernel",
                 .name = "words swapped in pairs",
                 .changes = {{"to[i] = from[i]", "to[i] = from[(i ^ 1) < n ? (i ^ 1) : i]"}},
                 .why = "neighbours differ"},
                {.variant = "from_device_by_kernel",
                 .name = "source overwritten",
                 .changes = {{"to[i] = from[i];",
                              "to[i] = from[i], ((__global int*)from)[i] += i == 3;"}},
                 .finding = ExpectedFinding::altered,
                 .why = "inputs are read back and compared"},
            }};
}

}  // namespace parallax
