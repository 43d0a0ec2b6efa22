// Errors planted in the kernels of overlap.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors overlap_errors() {
    return {.small_shape = {{131}},
            .small_constants = {{"PIECES", 4}, {"ROUNDS", 3}},
            .errors = {
                wrong("two_queues", "one round short", {{"for (uint r = 0;", "for (uint r = 1;"}},
                      "every round changes a word"),
                wrong("two_queues", "last word of a piece lost", {{"if (i < n)", "if (i + 1 < n)"}},
                      "its place in the output comes from an unwritten buffer of the device"),
                wrong("by_events", "another word of the piece",
                      {{"turned(in[i], ", "turned(in[n - 1 - i], "}}, "neighbours differ"),
                past_end("whole", "one word too many", {{"if (i < n)", "if (i <= n)"}},
                         "a guard zone follows the end"),
            }};
}

}  // namespace parallax
