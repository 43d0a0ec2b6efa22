// Errors planted in the kernels of overlap.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors overlap_errors() {
    return {.small_shape = {{131}},
            .small_constants = {{"PIECES", 4}, {"ROUNDS", 3}},
            .errors = {
                {.variant = "two_queues",
                 .name = "one round short",
                 .changes = {{"for (uint r = 0;", "for (uint r = 1;"}},
                 .why = "every round changes a word"},
                {.variant = "two_queues",
                 .name = "last word of a piece lost",
                 .changes = {{"if (i < n)", "if (i + 1 < n)"}},
                 .why = "its place in the output comes from an unwritten buffer of the device"},
                {.variant = "by_events",
                 .name = "another word of the piece",
                 .changes = {{"turned(in[i], ", "turned(in[n - 1 - i], "}},
                 .why = "neighbours differ"},
                {.variant = "whole",
                 .name = "one word too many",
                 .changes = {{"if (i < n)", "if (i <= n)"}},
                 .finding = ExpectedFinding::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone follows the end"},
            }};
}

}  // namespace parallax
