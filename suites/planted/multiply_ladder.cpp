// Errors planted in the kernels of multiply_ladder.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors multiply_ladder_errors() {
    return {
        .small_shape = {{69, 3, 37}},
        .small_constants = {{"GROUP", 32}},
        .errors = {
            wrong("strip_of_c", "a strip without barriers, as published",
                  {{"p * j] : 0;\n        barrier(CLK_LOCAL_MEM_FENCE);\n        if (i < n) {",
                    "p * j] : 0;\n        if (i < n) {"},
                   {"strip[k], sum);\n                }\n            }\n        }\n        "
                    "barrier(CLK_LOCAL_MEM_FENCE);",
                    "strip[k], sum);\n                }\n            }\n        }"}},
                  "an item multiplies what another has not loaded yet, and replaces what another "
                  "still multiplies",
                  {.oclgrind = Oclgrind::uninitialized, .is_race = true}),
            hidden_race(
                "four_rows", "no barrier before the next strip",
                {{"        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    for (uint r "
                  "= 0; r < ROWS; ++r) {\n        const size_t i",
                  "        }\n    }\n    for (uint r = 0; r < ROWS; ++r) {\n        const "
                  "size_t i"}},
                "an item replaces what another still multiplies; PoCL sets barriers of its own "
                "around loops that all items run alike"),
            wrong("two_columns", "strips not waited for",
                  {{"p * (left + q)] : 0;\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);",
                    "p * (left + q)] : 0;\n        }"}},
                  "an item multiplies what another has not loaded yet",
                  {.oclgrind = Oclgrind::uninitialized, .is_race = true}),
            wrong("plain", "c row after row",
                  {{"c[k + p * j], sum);\n        a", "c[k * m + j], sum);\n        a"}},
                  "no column of c is its row"),
            wrong(
                "plain", "one element behind the last column",
                {{"    if (i < n) {\n        T sum = 0;", "    if (i <= n) {\n        T sum = 0;"}},
                "a guard zone follows the last column",
                {.finding = ExpectedFinding::behind,
                 .oclgrind = Oclgrind::outside,
                 .shape = {{521, 1, 131}},
                 .is_race = true}),
            wrong_outside(
                "strip_of_c", "the last strip taken for a full one",
                {{"            if (start + GROUP <= p) {\n                for (uint k = 0; k "
                  "< GROUP; ++k) sum",
                  "            if (start <= p) {\n                for (uint k = 0; k < GROUP; "
                  "++k) sum"}},
                "0 times a guard zone is not 0: it holds no numbers"),
            wrong("strip_of_c", "the tail of p left out",
                  {{"for (uint k = 0; start + k < p; ++k) {\n                    sum = fma",
                    "for (uint k = 0; start + k + 1 < p; ++k) {\n                    sum = fma"}},
                  "131 is no multiple of 64"),
            wrong("two_rows", "rows side by side in full groups",
                  {{"fma(from_b[r * GROUP], from_c", "fma(from_b[r], from_c"}},
                  "the second value of i is a group away"),
            wrong("four_rows", "rows without a check of p",
                  {{"if (first + ROWS * GROUP <= n && start + GROUP <= p) {",
                    "if (first + ROWS * GROUP <= n) {"}},
                  "131 is no multiple of 64: a guard zone or the next column is multiplied"),
            past_end("four_columns", "columns behind the last",
                     {{"            if (left + q < m) a[i + n * (left + q)]",
                       "            a[i + n * (left + q)]"}},
                     "a guard zone follows the last column"),
            wrong("two_columns", "one strip for both columns",
                  {{"c[start + lane + p * (left + q)]", "c[start + lane + p * left]"}},
                  "no column of c is another"),
            wrong("four_columns", "first column starts at 1",
                  {{"sums[q] = 0;", "sums[q] = q == 0;"}}, "1 is not neutral for a sum"),
            wrong("plain", "sum of products rounded to float",
                  {{"        for (size_t k = 0; k < p; ++k) sum = fma(",
                    "        for (size_t k = 0; k < p; ++k) sum = (float)fma("}},
                  "the bound is that of double", {.pattern = "random", .type = ElementType::f64}),
        }};
}

}  // namespace parallax
