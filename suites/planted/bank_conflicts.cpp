// Errors planted in the kernels of bank_conflicts.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors bank_conflicts_errors() {
    return {
        .small_shape = {{3}},
        .small_constants = {{"GROUP", 16}, {"WORDS", 64}, {"ROUNDS", 5}},
        .errors = {
            wrong("strided", "stride of another",
                  {{"sum += words[(lane * stride + r) % WORDS];",
                    "sum += words[(lane + stride * r) % WORDS];"}},
                  "neighbouring words differ", {.constants = {{"STRIDE", 3}}}),
            wrong("strided", "one round short",
                  {{"for (uint r = 0; r < ROUNDS; ++r) sum",
                    "for (uint r = 1; r < ROUNDS; ++r) sum"}},
                  "no element is 0"),
            wrong(
                "strided", "no barrier behind the words",
                {{"words[k] = in[get_group_id(0) * WORDS + k];\n    barrier(CLK_LOCAL_MEM_FENCE);",
                  "words[k] = in[get_group_id(0) * WORDS + k];"}},
                "words are read before other items have brought them",
                {.oclgrind = Oclgrind::race, .is_race = true}),
            wrong("strided", "two words behind the last",
                  {{"k < WORDS; k += GROUP) words[k] = in",
                    "k < WORDS + 2; k += GROUP) words[k] = in"}},
                  "local memory has no guard zones",
                  {.finding = ExpectedFinding::unfit, .oclgrind = Oclgrind::outside}),
            wrong("spaced", "spare elements forgotten",
                  {{"        sum += words[k + k / 32];", "        sum += words[k];"}},
                  "every thirty-third place holds nothing", {.oclgrind = Oclgrind::uninitialized}),
            wrong("spaced", "words of the group before",
                  {{"words[k + k / 32] = in[get_group_id(0) * WORDS + k]",
                    "words[k + k / 32] = in[k]"}},
                  "groups have words of their own"),
        }};
}

}  // namespace parallax
