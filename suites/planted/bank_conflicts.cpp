// Errors planted in the kernels of bank_conflicts.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors bank_conflicts_errors() {
    return {
        .small_shape = {{3}},
        .small_constants = {{"GROUP", 16}, {"WORDS", 64}, {"ROUNDS", 5}},
        .errors = {
            {.variant = "strided",
             .name = "stride of another",
             .changes = {{"sum += words[(lane * stride + r) % WORDS];",
                          "sum += words[(lane + stride * r) % WORDS];"}},
             .why = "neighbouring words differ",
             .constants = {{"STRIDE", 3}}},
            {.variant = "strided",
             .name = "one round short",
             .changes = {{"for (uint r = 0; r < ROUNDS; ++r) sum",
                          "for (uint r = 1; r < ROUNDS; ++r) sum"}},
             .why = "no element is 0"},
            {.variant = "strided",
             .name = "no barrier behind the words",
             .changes =
                 {{"words[k] = in[get_group_id(0) * WORDS + k];\n    barrier(CLK_LOCAL_MEM_FENCE);",
                   "words[k] = in[get_group_id(0) * WORDS + k];"}},
             .finding = ExpectedFinding::wrong,
             .oclgrind = Oclgrind::race,
             .why = "words are read before other items have brought them",
             .is_race = true},
            {.variant = "strided",
             .name = "two words behind the last",
             .changes = {{"k < WORDS; k += GROUP) words[k] = in",
                          "k < WORDS + 2; k += GROUP) words[k] = in"}},
             .finding = ExpectedFinding::unfit,
             .oclgrind = Oclgrind::outside,
             .why = "local memory has no guard zones"},
            {.variant = "spaced",
             .name = "spare elements forgotten",
             .changes = {{"        sum += words[k + k / 32];", "        sum += words[k];"}},
             .finding = ExpectedFinding::wrong,
             .oclgrind = Oclgrind::uninitialized,
             .why = "every thirty-third place holds nothing"},
            {.variant = "spaced",
             .name = "words of the group before",
             .changes = {{"words[k + k / 32] = in[get_group_id(0) * WORDS + k]",
                          "words[k + k / 32] = in[k]"}},
             .why = "groups have words of their own"},
        }};
}

}  // namespace parallax
