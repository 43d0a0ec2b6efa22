// Errors planted in the kernels of concurrency.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors concurrency_errors() {
    return {.small_shape = {{67}},
            .small_constants = {{"GROUP", 16}, {"ROUNDS", 3}},
            .errors = {
                wrong("side_by_side", "all do the first one's work",
                      {{"first + get_global_id(0)", "get_global_id(0)"}},
                      "the others' words keep the poison"),
                past_end("in_turn", "one word too many", {{"if (i < n)", "if (i <= n)"}},
                         "a guard zone follows the end"),
                wrong("one_kernel", "one round too many", {{"r < ROUNDS", "r <= ROUNDS"}},
                      "every round changes a word"),
                wrong("unordered", "another word of the group",
                      {{"uint x = in[i];", "uint x = in[i - i % 2];"}}, "neighbours differ"),
            }};
}

}  // namespace parallax
