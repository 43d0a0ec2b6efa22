// Errors planted in the kernels of multiply.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors multiply_errors() {
    return {
        .small_shape = {{19, 17, 11}},
        .small_constants = {{"TILE", 4},
                            {"BLOCK", 16},
                            {"EACH", 4},
                            {"DEPTH", 4},
                            {"ACROSS", 16},
                            {"EACH_ACROSS", 4},
                            {"TEAM", 2},
                            {"UNROLL", 2}},
        .errors = {
            hidden_race(
                "staged_ab", "no barrier after the load of tiles",
                {{"column] : 0;\n        barrier(CLK_LOCAL_MEM_FENCE);\n        for (uint i",
                  "column] : 0;\n        for (uint i"}},
                "an item multiplies what another has not loaded yet; PoCL sets barriers of its own "
                "around loops that all items run alike"),
            hidden_race(
                "staged_ab", "no barrier before the next tiles",
                {{"sum = fma(tile_a[y][i], tile_b[i][x], sum);\n        "
                  "barrier(CLK_LOCAL_MEM_FENCE);",
                  "sum = fma(tile_a[y][i], tile_b[i][x], sum);"}},
                "an item replaces what another still multiplies; PoCL sets barriers of its own "
                "around loops that all items run alike"),
            hidden_race(
                "blocked", "no barrier before the next block",
                {{"            }\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    "
                  "for (uint i",
                  "            }\n        }\n    }\n    for (uint i"}},
                "an item replaces what another still multiplies; PoCL sets barriers of its own "
                "around loops that all items run alike"),
            wrong("naive", "b by columns", {{"b[i * n + column]", "b[column * n + i]"}},
                  "no row of b is its column"),
            wrong("naive", "last product missing", {{"i < k; ++i)", "i + 1 < k; ++i)"}},
                  "no integer is 0"),
            wrong("naive", "rows of the wrong length",
                  {{"        c[row * n + column] = sum;", "        c[row * m + column] = sum;"}},
                  "m is not n", {.is_race = true}),
            wrong("naive", "rows and columns of items swapped",
                  {{"const size_t column = get_global_id(0);\n    const size_t row = "
                    "get_global_id(1);\n    if",
                    "const size_t column = get_global_id(1);\n    const size_t row = "
                    "get_global_id(0);\n    if"}},
                  "the grid is not square"),
            past_end(
                "staged_a", "one row too many",
                {{"if (row < m && column < n) c[row * n + column] = sum;\n}\n\n// A tile of each",
                  "if (row <= m && column < n) c[row * n + column] = sum;\n}\n\n// A tile of "
                  "each"}},
                "a guard zone follows the last row"),
            wrong_outside("staged_a", "rows of b behind the last",
                          {{"if (start + i < k) sum", "sum"}},
                          "0 times a guard zone is not 0: it holds no numbers"),
            wrong("staged_ab", "sums rounded to float",
                  {{"sum = fma(tile_a[y][i], tile_b[i][x], sum);",
                    "sum = (float)fma(tile_a[y][i], tile_b[i][x], sum);"}},
                  "the bound is that of double", {.pattern = "random", .type = ElementType::f64}),
            wrong("blocked", "column of a by the item's x",
                  {{"tile_a[d][place(y, i, side)]", "tile_a[d][place(x, i, side)]"}},
                  "no row of a is another"),
            wrong("blocked", "runs half as far apart",
                  {{"(e / 4) * (4 * items)", "(e / 4) * (2 * items)"}},
                  "a quarter of a full block is never written", {.is_race = true}),
            wrong("blocked", "full tiles of a drift",
                  {{"from_a += items / DEPTH * k", "from_a += items / DEPTH * (k - 1)"}},
                  "129 x 131 x 35 has full tiles and others"),
            wrong("blocked", "first sum starts at 1",
                  {{"j < EACH; ++j) sums[i][j] = 0;", "j < EACH; ++j) sums[i][j] = i + j == 0;"}},
                  "1 is not neutral for a sum"),
            wrong("staged_ab", "input altered and used",
                  {{"tile_b[y][x] = ",
                    "if (row == 0 && column == 0) ((__global T*)b)[0] += 1;\n        "
                    "tile_b[y][x] = "}},
                  "the tile takes the altered element", {.is_race = true}),
            wrong("streamed", "no barrier between strips",
                  {{"            barrier(CLK_LOCAL_MEM_FENCE);\n        }\n    }\n    "
                    "__global T* to",
                    "        }\n    }\n    __global T* to"}},
                  "an item multiplies what another has not kept yet",
                  {.oclgrind = Oclgrind::uninitialized, .is_race = true}),
            hidden_race("streamed", "one place for both strips",
                        {{"            stage = 1 - stage;\n", ""}},
                        "an item replaces what another still multiplies"),
            wrong_outside(
                "streamed", "strips end with the row below",
                {{"load_run(from_a + at_a[r], start + depth_a < depth, next_a + r * run);",
                  "load_run(from_a + at_a[r], true, next_a + r * run);"}},
                "0 times a guard zone is not 0: it holds no numbers"),
            wrong("streamed", "rows behind the last, for nothing",
                  {{"(top + row < m ? row : (uint)(m - 1 - top))", "row"}},
                  "what comes of them is not stored, so no answer depends on it",
                  {.finding = ExpectedFinding::blind, .oclgrind = Oclgrind::outside}),
            wrong("streamed", "strips of b drift",
                  {{"from_b += DEPTH * n;", "from_b += DEPTH * k;"}}, "k is not n"),
            wrong("streamed", "fours of a half as far apart",
                  {{"(BLOCK + SPARE) / 4) + i / 4 * high", "(BLOCK + SPARE) / 4) + i / 8 * high"}},
                  "an item's second four rows are its first again", {.constants = {{"EACH", 8}}}),
            wrong("streamed", "one column too many",
                  {{"row < m && column + e < n", "row < m && column + e <= n"}},
                  "the last row's is past the end of the product",
                  {.finding = ExpectedFinding::behind,
                   .oclgrind = Oclgrind::outside,
                   .is_race = true}),
        }};
}

}  // namespace parallax
