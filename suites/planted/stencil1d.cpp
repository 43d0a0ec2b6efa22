// Errors planted in the kernels of stencil1d.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors stencil1d_errors() {
    return {
        .small_shape = {{131}},
        .small_constants = {{"GROUP", 16}, {"ITEMS", 4}},
        .errors = {
            race("staged", "no barrier after the load",
                 {{"    barrier(CLK_LOCAL_MEM_FENCE);\n    if (start", "    if (start"}},
                 "an item adds what another has not loaded yet"),
            race("several", "no barrier after the load of many",
                 {{"    barrier(CLK_LOCAL_MEM_FENCE);\n    for (uint j", "    for (uint j"}},
                 "an item adds what another has not loaded yet"),
            wrong("staged", "barrier for some of the items",
                  {{"    barrier(CLK_LOCAL_MEM_FENCE);\n    if (start + lane < n) {\n        T sum",
                    "    if (start + lane < n) {\n        barrier(CLK_LOCAL_MEM_FENCE);\n        T "
                    "sum"}},
                  "all items of a group must meet at a barrier or none",
                  {.finding = ExpectedFinding::unfit, .oclgrind = Oclgrind::divergence}),
            wrong("global", "last neighbour missing",
                  {{"k <= 2 * RADIUS; ++k) sum += in[i - RADIUS + k]",
                    "k < 2 * RADIUS; ++k) sum += in[i - RADIUS + k]"}},
                  "no integer is 0"),
            wrong_outside("global", "one neighbour from behind the end",
                          {{"i + RADIUS < n", "i + RADIUS <= n"}},
                          "values past the end of the array must count as 0, and are not 0"),
            wrong("global", "first element left out", {{"i + k >= RADIUS", "i + k > RADIUS"}},
                  "no integer is 0"),
            wrong("staged", "right halo not loaded",
                  {{"t < GROUP + 2 * RADIUS; t += GROUP", "t < GROUP; t += GROUP"}},
                  "what is added is left from before", {.oclgrind = Oclgrind::uninitialized}),
            wrong_outside("staged", "outputs one too far",
                          {{"out[start + lane] = sum", "out[start + lane + 1] = sum"}},
                          "the first one is never written"),
            past_end("staged", "one output too many",
                     {{"if (start + lane < n)", "if (start + lane <= n)"}},
                     "a guard zone follows the end"),
            wrong("several", "every second run of outputs",
                  {{"j < GROUP * ITEMS; j += GROUP", "j < GROUP * ITEMS; j += 2 * GROUP"}},
                  "the others keep the poison"),
            wrong("several", "own element counts twice",
                  {{"T sum = 0;\n            for (uint k = 0; k <= 2 * RADIUS; ++k) sum += tile[j",
                    "T sum = tile[j + lane + RADIUS];\n            for (uint k = 0; k <= 2 * "
                    "RADIUS; ++k) sum += tile[j"}},
                  "no integer is 0"),
            wrong("staged", "sum of doubles rounded to float",
                  {{"if (start + lane < n) {\n        T sum",
                    "if (start + lane < n) {\n        float sum"}},
                  "the bound is that of double", {.pattern = "random", .type = ElementType::f64}),
            wrong("wide", "last four not loaded", {{"q <= reach / 2; ++q", "q < reach / 2; ++q"}},
                  "no integer is 0"),
            wrong("wide", "neighbours one too far",
                  {{"at = 4 * q + e + RADIUS;", "at = 4 * q + e + RADIUS + 1;"}},
                  "each sum loses a neighbour and gets another"),
            wrong_outside("wide", "a four before the first",
                          {{"if (i >= reach && i + 4 + reach <= n) {",
                            "if (i + 4 >= reach && i + 4 + reach <= n) {"}},
                          "what lies before the array counts as 0, and is not 0"),
            past_end("wide", "four outputs where fewer are left",
                     {{"j < 4 && i + j < n; ++j) {", "j < 4; ++j) {"}},
                     "four does not divide the length"),
        }};
}

}  // namespace parallax
