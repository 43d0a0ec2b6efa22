// Errors planted in the kernels of concurrency.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors concurrency_errors() {
    return {.small_shape = {{67}},
            .small_constants = {{"GROUP", 16}, {"ROUNDS", 3}},
            .errors = {
                {.suite = "concurrency",
                 .variant = "side_by_side",
                 .name = "all do the first one's work",
                 .kind = "wrong operand",
                 .changes = {{"first + get_global_id(0)", "get_global_id(0)"}},
                 .why = "the others' words keep the poison"},
                {.suite = "concurrency",
                 .variant = "in_turn",
                 .name = "one word too many",
                 .kind = "missing bounds check",
                 .changes = {{"if (i < n)", "if (i <= n)"}},
                 .gate = Gate::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone lies behind the end"},
                {.suite = "concurrency",
                 .variant = "one_kernel",
                 .name = "one round too many",
                 .kind = "off by one",
                 .changes = {{"r < ROUNDS", "r <= ROUNDS"}},
                 .why = "every round changes a word"},
                {.suite = "concurrency",
                 .variant = "unordered",
                 .name = "another word of the group",
                 .kind = "wrong operand",
                 .changes = {{"uint x = in[i];", "uint x = in[i - i % 2];"}},
                 .why = "neighbours differ"},
            }};
}

}  // namespace parallax
