// Errors planted in the kernels of transfer.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors transfer_errors() {
    return {
        .small_shape = {{67}},
        .small_constants = {},
        .errors = {
            past_end("to_device_by_kernel", "one word too many", {{"if (i < n)", "if (i <= n)"}},
                     "a guard zone follows the end"),
            wrong("to_device_by_kernel", "last word lost", {{"if (i < n)", "if (i + 1 < n)"}},
                  "it keeps the poison"),
            wrong("from_device_by_kernel", "words swapped in pairs",
                  {{"to[i] = from[i]", "to[i] = from[(i ^ 1) < n ? (i ^ 1) : i]"}},
                  "neighbours differ"),
            wrong("from_device_by_kernel", "source overwritten",
                  {{"to[i] = from[i];", "to[i] = from[i], ((__global int*)from)[i] += i == 3;"}},
                  "inputs are read back and compared", {.finding = ExpectedFinding::altered}),
        }};
}

}  // namespace parallax
