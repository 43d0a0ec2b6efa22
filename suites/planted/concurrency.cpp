// Errors planted in the kernels of concurrency.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors concurrency_errors() {
    return {.small_shape = {{67}},
            .small_constants = {{"GROUP", 16}, {"ROUNDS", 3}},
            .errors = {
                {.variant = "side_by_side",
                 .name = "all do the first one's work",
                 .changes = {{"first + get_global_id(0)", "get_global_id(0)"}},
                 .why = "the others' words keep the poison"},
                {.variant = "in_turn",
                 .name = "one word too many",
                 .changes = {{"if (i < n)", "if (i <= n)"}},
                 .finding = ExpectedFinding::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone follows the end"},
                {.variant = "one_kernel",
                 .name = "one round too many",
                 .changes = {{"r < ROUNDS", "r <= ROUNDS"}},
                 .why = "every round changes a word"},
                {.variant = "unordered",
                 .name = "another word of the group",
                 .changes = {{"uint x = in[i];", "uint x = in[i - i % 2];"}},
                 .why = "neighbours differ"},
            }};
}

}  // namespace parallax
