// Errors planted in the kernels of multiply_ladder.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors multiply_ladder_errors() {
    return {
        .small_shape = {{69, 3, 37}},
        .small_constants = {{"GROUP", 32}},
        .errors = {
            {.variant = "strip_of_c",
             .name = "a strip without barriers, as published",
             .changes =
                 {{"p * j] : 0;\n        barrier(CLK_LOCAL_MEM_FENCE);\n        if (i < n) {",
                   "p * j] : 0;\n        if (i < n) {"},
                  {"strip[k], sum);\n                }\n            }\n        }\n        "
                   "barrier(CLK_LOCAL_MEM_FENCE);",
                   "strip[k], sum);\n                }\n            }\n        }"}},
             .oclgrind = Oclgrind::uninitialized,
             .why = "an item multiplies what another has not loaded yet, and replaces what another "
                    "still multiplies",
             .is_race = true},
            {.variant = "four_rows",
             .name = "no barrier before the next strip",
             .changes =
                 {{"        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    for (uint r "
                   "= 0; r < ROWS; ++r) {\n        const size_t i",
                   "        }\n    }\n    for (uint r = 0; r < ROWS; ++r) {\n        const "
                   "size_t i"}},
             .finding = ExpectedFinding::blind,
             .oclgrind = Oclgrind::race,
             .why = "an item replaces what another still multiplies; PoCL sets barriers of its own "
                    "around loops that all items run alike",
             .is_race = true},
            {.variant = "two_columns",
             .name = "strips not waited for",
             .changes = {{"p * (left + q)] : 0;\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);",
                          "p * (left + q)] : 0;\n        }"}},
             .oclgrind = Oclgrind::uninitialized,
             .why = "an item multiplies what another has not loaded yet",
             .is_race = true},
            {.variant = "plain",
             .name = "c row after row",
             .changes = {{"c[k + p * j], sum);\n        a", "c[k * m + j], sum);\n        a"}},
             .why = "no column of c is its row"},
            {.variant = "plain",
             .name = "one element behind the last column",
             .changes = {{"    if (i < n) {\n        T sum = 0;",
                          "    if (i <= n) {\n        T sum "
                          "= 0;"}},
             .finding = ExpectedFinding::behind,
             .oclgrind = Oclgrind::outside,
             .why = "a guard zone follows the last column",
             .shape = {{521, 1, 131}},
             .is_race = true},
            {.variant = "strip_of_c",
             .name = "the last strip taken for a full one",
             .changes =
                 {{"            if (start + GROUP <= p) {\n                for (uint k = 0; k "
                   "< GROUP; ++k) sum",
                   "            if (start <= p) {\n                for (uint k = 0; k < GROUP; "
                   "++k) sum"}},
             .oclgrind = Oclgrind::outside,
             .why = "0 times a guard zone is not 0: it holds no numbers"},
            {.variant = "strip_of_c",
             .name = "the tail of p left out",
             .changes = {{"for (uint k = 0; start + k < p; ++k) {\n                    sum = fma",
                          "for (uint k = 0; start + k + 1 < p; ++k) {\n                    sum = "
                          "fma"}},
             .why = "131 is no multiple of 64"},
            {.variant = "two_rows",
             .name = "rows side by side in full groups",
             .changes = {{"fma(from_b[r * GROUP], from_c", "fma(from_b[r], from_c"}},
             .why = "the second value of i is a group away"},
            {.variant = "four_rows",
             .name = "rows without a check of p",
             .changes = {{"if (first + ROWS * GROUP <= n && start + GROUP <= p) {",
                          "if (first + ROWS * GROUP <= n) {"}},
             .why = "131 is no multiple of 64: a guard zone or the next column is multiplied"},
            {.variant = "four_columns",
             .name = "columns behind the last",
             .changes = {{"            if (left + q < m) a[i + n * (left + q)]",
                          "            a[i + n * (left + q)]"}},
             .finding = ExpectedFinding::behind,
             .oclgrind = Oclgrind::outside,
             .why = "a guard zone follows the last column"},
            {.variant = "two_columns",
             .name = "one strip for both columns",
             .changes = {{"c[start + lane + p * (left + q)]", "c[start + lane + p * left]"}},
             .why = "no column of c is another"},
            {.variant = "four_columns",
             .name = "first column starts at 1",
             .changes = {{"sums[q] = 0;", "sums[q] = q == 0;"}},
             .why = "1 is not neutral for a sum"},
            {.variant = "plain",
             .name = "sum of products rounded to float",
             .changes = {{"        for (size_t k = 0; k < p; ++k) sum = fma(",
                          "        for (size_t k = 0; k < p; ++k) sum = (float)fma("}},
             .why = "the bound is that of double",
             .pattern = "random",
             .type = ElementType::f64},
        }};
}

}  // namespace parallax
