// Errors planted in the kernels of bank_conflicts.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors bank_conflicts_errors() {
    return {
        .small_shape = {{3}},
        .small_constants = {{"GROUP", 16}, {"WORDS", 64}, {"ROUNDS", 5}},
        .errors = {
            {.suite = "bank_conflicts",
             .variant = "strided",
             .name = "stride of another",
             .kind = "wrong stride",
             .changes = {{"sum += words[(lane * stride + r) % WORDS];",
                          "sum += words[(lane + stride * r) % WORDS];"}},
             .why = "neighbouring words differ",
             .constants = {{"STRIDE", 3}}},
            {.suite = "bank_conflicts",
             .variant = "strided",
             .name = "one round short",
             .kind = "off by one",
             .changes = {{"for (uint r = 0; r < ROUNDS; ++r) sum",
                          "for (uint r = 1; r < ROUNDS; ++r) sum"}},
             .why = "no element is 0"},
            {.suite = "bank_conflicts",
             .variant = "strided",
             .name = "no barrier behind the words",
             .kind = "missing barrier",
             .changes =
                 {{"words[k] = in[get_group_id(0) * WORDS + k];\n    barrier(CLK_LOCAL_MEM_FENCE);",
                   "words[k] = in[get_group_id(0) * WORDS + k];"}},
             .gate = Gate::wrong,
             .oclgrind = Oclgrind::race,
             .why = "words are read before other items have brought them",
             .is_race = true},
            {.suite = "bank_conflicts",
             .variant = "strided",
             .name = "two words behind the last",
             .kind = "off by one",
             .changes = {{"k < WORDS; k += GROUP) words[k] = in",
                          "k < WORDS + 2; k += GROUP) words[k] = in"}},
             .gate = Gate::unfit,
             .oclgrind = Oclgrind::outside,
             .why = "local memory has no guard zones"},
            {.suite = "bank_conflicts",
             .variant = "spaced",
             .name = "spare elements forgotten",
             .kind = "wrong stride",
             .changes = {{"        sum += words[k + k / 32];", "        sum += words[k];"}},
             .gate = Gate::wrong,
             .oclgrind = Oclgrind::uninitialized,
             .why = "every thirty-third place holds nothing"},
            {.suite = "bank_conflicts",
             .variant = "spaced",
             .name = "words of the group before",
             .kind = "wrong operand",
             .changes = {{"words[k + k / 32] = in[get_group_id(0) * WORDS + k]",
                          "words[k + k / 32] = in[k]"}},
             .why = "groups have words of their own"},
        }};
}

}  // namespace parallax
