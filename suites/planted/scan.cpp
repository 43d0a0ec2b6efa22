// Errors planted in the kernels of scan.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors scan_errors() {
    return {
        .small_shape = {{301}},
        .small_constants = {{"GROUP", 4}, {"ITEMS", 4}, {"WINDOW", 2}},
        .errors = {
            hidden_race(
                "scan_then_add", "no barrier before fours change hands",
                {{"= four[r].w;\n    }\n    barrier(CLK_LOCAL_MEM_FENCE);", "= four[r].w;\n    }"}},
                "an item adds up what another has not left yet", {.constants = {{"ITEMS", 8}}}),
            hidden_race("reduce_then_scan", "one place for all steps",
                        {{"        place = GROUP - place;\n", ""}},
                        "an item replaces what another still adds"),
            wrong("look_back", "tile taken by nobody yet",
                  {{"atom_inc(words);\n    barrier(CLK_LOCAL_MEM_FENCE);", "atom_inc(words);"}},
                  "an item reads the tile's number before the first item has it",
                  {.finding = ExpectedFinding::unfit, .oclgrind = Oclgrind::race, .is_race = true}),
            wrong("reduce_then_scan", "item before left out",
                  {{"if (lane >= reach) sum", "if (lane > reach) sum"}}, "no integer is 0"),
            wrong("reduce_then_scan", "three of four added",
                  {{"(four[r].z + four[r].w)", "four[r].z"}}, "no integer is 0"),
            wrong("scan_then_add", "sums of the tile itself added",
                  {{"before = of_tiles[tile - 1];\n    for", "before = of_tiles[tile];\n    for"}},
                  "what comes before a tile does not hold the tile"),
            wrong("scan_then_add", "end of the last tile forgotten",
                  {{"for (uint e = 0; e < 4 && i + e < n; ++e) out[i + e] += before;", ""}},
                  "70001 is no multiple of 4"),
            // Enough tiles that some look back late even where all run concurrently.
            wrong("look_back", "own sum told for all", {{"told(2, before + all)", "told(2, all)"}},
                  "a later tile takes the tile's sum for that of all tiles",
                  {.constants = {{"GROUP", 32}, {"ITEMS", 4}, {"WINDOW", 4}}}),
            wrong("look_back", "word heard without its lowest bit",
                  {{"sum.bits = (uint)word;", "sum.bits = (uint)word & ~1u;"}},
                  "odd sums lose a bit", {.type = ElementType::i32}),
            past_end("look_back", "four sums where fewer are left",
                     {{"if (i + 4 <= n) {\n            ((__global T4*)(out + start))",
                       "if (i < n) {\n            ((__global T4*)(out + start))"}},
                     "70001 is no multiple of 4"),
            wrong("look_back", "one element behind the last, for nothing",
                  {{"i + 3 < n ? in[i + 3] : 0", "i + 2 < n ? in[i + 3] : 0"}},
                  "no sum that is stored holds it",
                  {.finding = ExpectedFinding::blind,
                   .oclgrind = Oclgrind::outside,
                   .shape = {{70003}},
                   .oclgrind_shape = {{303}}}),
            wrong("scan_then_add", "fractions cut off",
                  {{"    four[r].y += four[r].x;", "    four[r].y += (T)(int)four[r].x;"}},
                  "random floats have fractions", {.pattern = "random"}),
        }};
}

}  // namespace parallax
