// Errors planted in the kernels of matvec.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors matvec_errors() {
    return {
        .small_shape = {{77, 5}},
        .small_constants = {{"GROUP", 32}, {"GROUPS", 2}, {"TEAM", 8}, {"ROWS", 2}},
        .errors = {
            race("tree_sequential", "no barrier in the tree of a row",
                 {{"            barrier(CLK_LOCAL_MEM_FENCE);\n            if (lane + upper "
                   "< count) part[lane] += part[lane + upper]",
                   "            if (lane + upper < count) part[lane] += part[lane + upper]"}},
                 "an item adds what its neighbour has not stored yet"),
            hidden_race(
                "tree_sequential", "no barrier before the next row",
                {{"part[lane + upper];\n        }\n        if (lane == 0) y[row] = "
                  "part[0];\n        barrier(CLK_LOCAL_MEM_FENCE);",
                  "part[lane + upper];\n        }\n        if (lane == 0) y[row] = part[0];"}},
                "an item stores its part of the next row where another still reads; items in "
                "order hide it"),
            race("group_serial", "first item does not wait",
                 {{"width, lane);\n        barrier(CLK_LOCAL_MEM_FENCE);\n        if (lane "
                   "== 0) {",
                   "width, lane);\n        if (lane == 0) {"}},
                 "the others have not stored what it adds"),
            wrong("group_serial", "last item of the group left out",
                  {{"other < GROUP; ++other", "other < GROUP - 1; ++other"}},
                  "1031 columns are more than two for each of 512 items"),
            past_end("row_per_item", "one row behind the last",
                     {{"if (row < height) {", "if (row <= height) {"}},
                     "a guard zone follows the last element of y"),
            wrong("modern", "parts of rows that a team has not got",
                  {{"r < ROWS; ++r) {\n            part[r][item] =",
                    "r < TEAM; ++r) {\n            part[r][item] ="}},
                  "there are no parts past the last",
                  {.finding = ExpectedFinding::unfit,
                   .oclgrind = Oclgrind::outside,
                   .oclgrind_shape = {{76, 5}}}),
            wrong("row_per_item", "one element of x behind the last, for nothing",
                  {{"    if (row < height) {\n        T sum = 0;\n        for (size_t i = 0; i "
                    "< width; ++i) sum += matrix[row * width + i] * x[i];",
                    "    if (row < height) {\n        T sum = 0;\n        for (size_t i = 0; i "
                    "<= width; ++i) {\n            const T from_x = x[i];\n            if (i < "
                    "width) sum += matrix[row * width + i] * from_x;\n        }"}},
                  "the value goes nowhere, so no answer depends on it",
                  {.finding = ExpectedFinding::blind, .oclgrind = Oclgrind::outside}),
            wrong("row_per_item", "columns for rows",
                  {{"    if (row < height) {\n        T sum = 0;\n        for (size_t i = 0; i "
                    "< width; ++i) sum += matrix[row * width + i]",
                    "    if (row < height) {\n        T sum = 0;\n        for (size_t i = 0; i "
                    "< width; ++i) sum += matrix[i * height + row]"}},
                  "no row of the matrix is its column"),
            wrong("rows_strided", "one step of rows only",
                  {{"row < height; row += get_global_size(0)",
                    "row < min((ulong)get_global_size(0), height); row += get_global_size(0)"}},
                  "64 items are fewer than 67 rows", {.constants = {{"GROUP", 32}, {"GROUPS", 2}}}),
            wrong("tree_interleaved", "full steps of the group only",
                  {{"i < width; i += GROUP) sum", "i - lane + GROUP <= width; i += GROUP) sum"}},
                  "1031 is no multiple of 512"),
            wrong("tree_interleaved", "tree for powers of two only",
                  {{"if (at + stride < GROUP) part", "if (at + 2 * stride <= GROUP) part"}},
                  "250 parts leave some without a partner of full length",
                  {.constants = {{"GROUP", 250}}}),
            wrong("tree_sequential", "products of doubles in float",
                  {{"sum += row[i] * x[i]", "sum += (float)row[i] * (float)x[i]"}},
                  "the bound is that of double", {.pattern = "random", .type = ElementType::f64}),
            wrong("row_per_item", "sum of doubles kept in float",
                  {{"    if (row < height) {\n        T sum = 0;",
                    "    if (row < height) {\n        float sum = 0;"}},
                  "the bound is that of double", {.pattern = "random", .type = ElementType::f64}),
            wrong("tree_sequential", "products of ints cut to 16 bits",
                  {{"sum += row[i] * x[i]", "sum += (short)(row[i] * x[i])"}},
                  "random ints fill all bits that a sum of products leaves them",
                  {.pattern = "random", .type = ElementType::i32}),
            past_end("modern", "last rows not left out", {{"if (first + r < height) y", "y"}},
                     "a guard zone follows the last element of y"),
            wrong("modern", "loads of four in rows that four do not divide",
                  {{"if (width % 4 == 0) {", "if (width % 2 == 0 || width > 1030) {"}},
                  "1031 is no multiple of 4"),
            wrong("modern", "one component left out",
                  {{"(sums[r].z + sums[r].w)", "(sums[r].z + sums[r].z)"}},
                  "no product of integers is 0", {.shape = {{1028, 37}}}),
            wrong("modern", "teams share a tree",
                  {{"if (lane + upper < count) {\n            for",
                    "if (item + upper < count) {\n            for"}},
                  "only the first team of a group has a sum"),
            race("modern", "no barrier in a team's tree",
                 {{"        barrier(CLK_LOCAL_MEM_FENCE);\n        if (lane + upper < count) "
                   "{\n            for",
                   "        if (lane + upper < count) {\n            for"}},
                 "an item adds what its neighbour has not stored yet"),
            race("tree_sequential", "tree of rows for even groups only",
                 {{"const uint upper = (count + 1) / 2;\n            barrier",
                   "const uint upper = count / 2;\n            barrier"}},
                 "half of 250 is odd", {.constants = {{"GROUP", 250}}}),
        }};
}

}  // namespace parallax
