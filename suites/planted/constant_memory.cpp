// Errors planted in the kernels of constant_memory.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors constant_memory_errors() {
    return {
        .small_shape = {{67}},
        .small_constants = {{"GROUP", 16}, {"ROUNDS", 5}},
        .errors = {
            {.variant = "constant_data",
             .name = "looked up one word on",
             .changes = {{"sum * 31u + in_text[place(start, spread, r)]",
                          "sum * 31u + in_text[(place(start, spread, r) + 1u) % 1024u]"}},
             .why = "no two words of the table are alike"},
            {.variant = "constant_data",
             .name = "one item too many",
             .changes = {{"sum * 31u + in_text[place(start, spread, r)];\n    if (i < n)",
                          "sum * 31u + in_text[place(start, spread, r)];\n    if (i <= n)"}},
             .finding = ExpectedFinding::behind,
             .oclgrind = Oclgrind::outside,
             .why = "a guard zone follows the end"},
            {.variant = "constant_pointer",
             .name = "behind the table",
             .changes = {{"sum * 31u + table[place(start, spread, r)];\n    if (i < n) out[i] = "
                          "sum;\n}\n\n// From a buffer by an ordinary",
                          "sum * 31u + table[place(start, spread, r) + 1u];\n    if (i < n) out[i] "
                          "= sum;\n}\n\n// From a buffer by an ordinary"}},
             .why = "every word is the next one, and the last lies in a guard zone",
             .oclgrind_shape = {{67}}},
            {.variant = "global_pointer",
             .name = "the spread forgotten",
             .changes = {{"table[place(start, spread, r)];\n    if (i < n) out[i] = sum;\n}\n\n"
                          "// From local",
                          "table[place(start, 0u, r)];\n    if (i < n) out[i] = sum;\n}\n\n"
                          "// From local"}},
             .why = "neighbours look up different words",
             .constants = {{"SPREAD", 1}}},
            {.variant = "local_table",
             .name = "no barrier behind the looked-up table",
             .changes = {{"    barrier(CLK_LOCAL_MEM_FENCE);\n    const uint start",
                          "    const uint start"}},
             .finding = ExpectedFinding::wrong,
             .oclgrind = Oclgrind::race,
             .why = "a word is looked up before another item has brought it; PoCL runs the items "
                    "one after the other",
             .is_race = true},
            {.variant = "local_table",
             .name = "half of the table",
             .changes = {{"k < 1024u; k += GROUP", "k < 512u; k += GROUP"}},
             .finding = ExpectedFinding::wrong,
             .why = "the other half was never written"},
        }};
}

}  // namespace parallax
