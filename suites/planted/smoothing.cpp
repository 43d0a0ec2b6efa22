// Errors planted in the kernels of smoothing.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors smoothing_errors() {
    PlantedErrors planted{
        .small_shape = {{19, 13}},
        .small_constants = {{"GROUP_X", 8}, {"GROUP_Y", 4}, {"PITCH", 64}, {"STRIP", 4}},
        .errors = {
            race("staged", "no barrier between the halo and its use",
                 {{"x] : 0;\n    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n", "x] : 0;\n    }\n"}},
                 "an item adds up what another has not loaded yet"),
            wrong("staged", "two values behind the tile",
                  {{"i < (GROUP_Y + 2) * values;", "i < (GROUP_Y + 2) * values + 2;"}},
                  "local memory has no guard zones",
                  {.finding = ExpectedFinding::unfit, .oclgrind = Oclgrind::outside}),
            wrong("padded_staged", "halo row not loaded",
                  {{"i < (GROUP_Y + 2) * (GROUP_X + 2);", "i < (GROUP_Y + 1) * (GROUP_X + 2);"}},
                  "the last row of a group adds up what is left from before",
                  {.oclgrind = Oclgrind::uninitialized}),
            wrong("plain", "edges divided by nine",
                  {{"count == 9 ? (sum + 4) / 9 : (sum + count / 2) / count",
                    "(sum + 4) / 9 + 0 * count"}},
                  "a corner has four values, not nine"),
            wrong("staged", "first column has a left neighbour", {{"(x > 0 ? 1 : 0)", "1"}},
                  "sums of what exists are divided by too much"),
            wrong("plain", "mean rounded down",
                  {{"(sum + 4) / 9 : (sum + count / 2) / count", "sum / 9 : sum / count"}},
                  "almost half of all means are one too small"),
            wrong("plain", "channels swapped",
                  {{"out[pixel + c] =", "out[pixel + CHANNELS - 1 - c] ="}},
                  "the channels of a pixel differ"),
            wrong("plain", "sums of 16 bits",
                  {{"    uint sum[CHANNELS];", "    ushort sum[CHANNELS];"}},
                  "nine bright values are more than 16 bits hold", {.pattern = "random"}),
            wrong_outside(
                "plain", "row below the last",
                {{"row < height && column < width) {", "row <= height && column < width) {"}},
                "values past the end of the image are added to its last row"),
            past_end("padded", "one row too many smoothed",
                     {{"x >= stride || y >= height", "x >= stride || y > height"}},
                     "its row is past the end of the image"),
            wrong("pitched", "pitch forgotten",
                  {{"convert_uint4(in[row * stride + column])",
                    "convert_uint4(in[row * width + column])"}},
                  "rows begin where the pitch says"),
            wrong("pitched_staged", "row padding not written",
                  {{"    if (x < stride && y < height) {", "    if (x < width && y < height) {"}},
                  "it keeps the poison"),
            wrong("padded", "image smoothed in place",
                  {{"    out[y * stride + x] = convert_ushort4(mean_of_four(sum, count));\n}\n\n"
                    "// Both",
                    "    out[y * stride + x] = convert_ushort4(mean_of_four(sum, count));\n"
                    "    ((__global ushort4*)in)[y * stride + x] = out[y * stride + x];\n}\n\n"
                    "// Both"}},
                  "later items add up means; and inputs are read back and compared",
                  {.is_race = true}),
            wrong("wide", "row below counted as the middle one",
                  {{"value[r + 1][v] + value[r + 2][v];", "value[r + 1][v] + value[r + 1][v];"}},
                  "a row counts twice, and the one below it not at all", {.shape = {{136, 37}}}),
            wrong("wide", "right pixel one value off",
                  {{"sum[v + CHANNELS] + sum[v + 2 * CHANNELS];",
                    "sum[v + CHANNELS] + sum[v + 2 * CHANNELS - 1];"}},
                  "the channels of a pixel differ", {.shape = {{136, 37}}}),
            wrong("wide", "ninths rounded down",
                  {{"fma(sum, 1.0f / 9, 8388608.0f)", "fma(sum, 1.0f / 9, 8388607.5f)"}},
                  "most ninths are not whole", {.shape = {{136, 37}}}),
            wrong("wide", "first row left to nobody",
                  {{"if (inside && y > 0 && y + 1 < height) continue;",
                    "if (inside && y + 1 < height) continue;"}},
                  "it keeps the poison", {.shape = {{136, 37}}}),
            wrong_outside("wide", "first word has a left neighbour",
                          {{"values % 8 == 0 && first > 0 && first", "values % 8 == 0 && first"}},
                          "it is the end of the row before, or a guard zone",
                          {.shape = {{136, 37}}, .oclgrind_shape = {{24, 13}}}),
            past_end("wide", "strip longer than the image",
                     {{"for (size_t y = top; y < top + STRIP && y < height; ++y) {",
                       "for (size_t y = top; y < top + STRIP; ++y) {"}},
                     "its rows are past the end of the image"),
        }};
    for (Planted& error : planted.errors) error.type = ElementType::u16;
    return planted;
}

}  // namespace parallax
