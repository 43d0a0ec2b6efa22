// Errors planted in the kernels of constant_memory.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors constant_memory_errors() {
    return {.small_shape = {{67}},
            .small_constants = {{"GROUP", 16}, {"ROUNDS", 5}},
            .errors = {
                wrong("constant_data", "looked up one word on",
                      {{"sum * 31u + in_text[place(start, spread, r)]",
                        "sum * 31u + in_text[(place(start, spread, r) + 1u) % 1024u]"}},
                      "no two words of the table are alike"),
                past_end("constant_data", "one item too many",
                         {{"sum * 31u + in_text[place(start, spread, r)];\n    if (i < n)",
                           "sum * 31u + in_text[place(start, spread, r)];\n    if (i <= n)"}},
                         "a guard zone follows the end"),
                wrong("constant_pointer", "behind the table",
                      {{"sum * 31u + table[place(start, spread, r)];\n    if (i < n) out[i] = "
                        "sum;\n}\n\n// From a buffer by an ordinary",
                        "sum * 31u + table[place(start, spread, r) + 1u];\n    if (i < n) out[i] "
                        "= sum;\n}\n\n// From a buffer by an ordinary"}},
                      "every word is the next one, and the last lies in a guard zone",
                      {.oclgrind_shape = {{67}}}),
                wrong("global_pointer", "the spread forgotten",
                      {{"table[place(start, spread, r)];\n    if (i < n) out[i] = sum;\n}\n\n"
                        "// From local",
                        "table[place(start, 0u, r)];\n    if (i < n) out[i] = sum;\n}\n\n"
                        "// From local"}},
                      "neighbours look up different words", {.constants = {{"SPREAD", 1}}}),
                wrong("local_table", "no barrier behind the looked-up table",
                      {{"    barrier(CLK_LOCAL_MEM_FENCE);\n    const uint start",
                        "    const uint start"}},
                      "a word is looked up before another item has brought it; PoCL runs the items "
                      "one after the other",
                      {.oclgrind = Oclgrind::race, .is_race = true}),
                wrong("local_table", "half of the table",
                      {{"k < 1024u; k += GROUP", "k < 512u; k += GROUP"}},
                      "the other half was never written"),
            }};
}

}  // namespace parallax
