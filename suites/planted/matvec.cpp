// Errors planted in the kernels of matvec.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors matvec_errors() {
    return {
        .small_shape = {{77, 5}},
        .small_constants = {{"GROUP", 32}, {"GROUPS", 2}, {"TEAM", 8}, {"ROWS", 2}},
        .errors = {
            {.variant = "tree_sequential",
             .name = "no barrier in the tree of a row",
             .changes = {{"            barrier(CLK_LOCAL_MEM_FENCE);\n            if (lane + upper "
                          "< count) part[lane] += part[lane + upper]",
                          "            if (lane + upper < count) part[lane] += part[lane + "
                          "upper]"}},
             .oclgrind = Oclgrind::race,
             .why = "an item adds what its neighbour has not stored yet",
             .is_race = true},
            {.variant = "tree_sequential",
             .name = "no barrier before the next row",
             .changes = {{"part[lane + upper];\n        }\n        if (lane == 0) y[row] = "
                          "part[0];\n        barrier(CLK_LOCAL_MEM_FENCE);",
                          "part[lane + upper];\n        }\n        if (lane == 0) y[row] = "
                          "part[0];"}},
             .finding = ExpectedFinding::blind,
             .oclgrind = Oclgrind::race,
             .why = "an item stores its part of the next row where another still reads; items in "
                    "order hide it",
             .is_race = true},
            {.variant = "group_serial",
             .name = "first item does not wait",
             .changes = {{"width, lane);\n        barrier(CLK_LOCAL_MEM_FENCE);\n        if (lane "
                          "== 0) {",
                          "width, lane);\n        if (lane == 0) {"}},
             .oclgrind = Oclgrind::race,
             .why = "the others have not stored what it adds",
             .is_race = true},
            {.variant = "group_serial",
             .name = "last item of the group left out",
             .changes = {{"other < GROUP; ++other", "other < GROUP - 1; ++other"}},
             .why = "1031 columns are more than two for each of 512 items"},
            {.variant = "row_per_item",
             .name = "one row behind the last",
             .changes = {{"if (row < height) {", "if (row <= height) {"}},
             .finding = ExpectedFinding::behind,
             .oclgrind = Oclgrind::outside,
             .why = "a guard zone follows the last element of y"},
            {.variant = "modern",
             .name = "parts of rows that a team has not got",
             .changes = {{"r < ROWS; ++r) {\n            part[r][item] =",
                          "r < TEAM; ++r) {\n            part[r][item] ="}},
             .finding = ExpectedFinding::unfit,
             .oclgrind = Oclgrind::outside,
             .why = "there are no parts past the last",
             .oclgrind_shape = {{76, 5}}},
            {.variant = "row_per_item",
             .name = "one element of x behind the last, for nothing",
             .changes =
                 {{"    if (row < height) {\n        T sum = 0;\n        for (size_t i = 0; i "
                   "< width; ++i) sum += matrix[row * width + i] * x[i];",
                   "    if (row < height) {\n        T sum = 0;\n        for (size_t i = 0; i "
                   "<= width; ++i) {\n            const T from_x = x[i];\n            if (i < "
                   "width) sum += matrix[row * width + i] * from_x;\n        }"}},
             .finding = ExpectedFinding::blind,
             .oclgrind = Oclgrind::outside,
             .why = "the value goes nowhere, so no answer depends on it"},
            {.variant = "row_per_item",
             .name = "columns for rows",
             .changes =
                 {{"    if (row < height) {\n        T sum = 0;\n        for (size_t i = 0; i "
                   "< width; ++i) sum += matrix[row * width + i]",
                   "    if (row < height) {\n        T sum = 0;\n        for (size_t i = 0; i "
                   "< width; ++i) sum += matrix[i * height + row]"}},
             .why = "no row of the matrix is its column"},
            {.variant = "rows_strided",
             .name = "one step of rows only",
             .changes = {{"row < height; row += get_global_size(0)",
                          "row < min((ulong)get_global_size(0), height); row += "
                          "get_global_size(0)"}},
             .why = "64 items are fewer than 67 rows",
             .constants = {{"GROUP", 32}, {"GROUPS", 2}}},
            {.variant = "tree_interleaved",
             .name = "full steps of the group only",
             .changes = {{"i < width; i += GROUP) sum",
                          "i - lane + GROUP <= width; i += GROUP) "
                          "sum"}},
             .why = "1031 is no multiple of 512"},
            {.variant = "tree_interleaved",
             .name = "tree for powers of two only",
             .changes = {{"if (at + stride < GROUP) part", "if (at + 2 * stride <= GROUP) part"}},
             .why = "250 parts leave some without a partner of full length",
             .constants = {{"GROUP", 250}}},
            {.variant = "tree_sequential",
             .name = "products of doubles in float",
             .changes = {{"sum += row[i] * x[i]", "sum += (float)row[i] * (float)x[i]"}},
             .why = "the bound is that of double",
             .pattern = "random",
             .type = ElementType::f64},
            {.variant = "row_per_item",
             .name = "sum of doubles kept in float",
             .changes = {{"    if (row < height) {\n        T sum = 0;",
                          "    if (row < height) {\n        float sum = 0;"}},
             .why = "the bound is that of double",
             .pattern = "random",
             .type = ElementType::f64},
            {.variant = "tree_sequential",
             .name = "products of ints cut to 16 bits",
             .changes = {{"sum += row[i] * x[i]", "sum += (short)(row[i] * x[i])"}},
             .why = "random ints fill all bits that a sum of products leaves them",
             .pattern = "random",
             .type = ElementType::i32},
            {.variant = "modern",
             .name = "last rows not left out",
             .changes = {{"if (first + r < height) y", "y"}},
             .finding = ExpectedFinding::behind,
             .oclgrind = Oclgrind::outside,
             .why = "a guard zone follows the last element of y"},
            {.variant = "modern",
             .name = "loads of four in rows that four do not divide",
             .changes = {{"if (width % 4 == 0) {", "if (width % 2 == 0 || width > 1030) {"}},
             .why = "1031 is no multiple of 4"},
            {.variant = "modern",
             .name = "one component left out",
             .changes = {{"(sums[r].z + sums[r].w)", "(sums[r].z + sums[r].z)"}},
             .why = "no product of integers is 0",
             .shape = {{1028, 37}}},
            {.variant = "modern",
             .name = "teams share a tree",
             .changes = {{"if (lane + upper < count) {\n            for",
                          "if (item + upper < count) "
                          "{\n            for"}},
             .why = "only the first team of a group has a sum"},
            {.variant = "modern",
             .name = "no barrier in a team's tree",
             .changes =
                 {{"        barrier(CLK_LOCAL_MEM_FENCE);\n        if (lane + upper < count) "
                   "{\n            for",
                   "        if (lane + upper < count) {\n            for"}},
             .oclgrind = Oclgrind::race,
             .why = "an item adds what its neighbour has not stored yet",
             .is_race = true},
            {.variant = "tree_sequential",
             .name = "tree of rows for even groups only",
             .changes = {{"const uint upper = (count + 1) / 2;\n            barrier",
                          "const uint upper = count / 2;\n            barrier"}},
             .oclgrind = Oclgrind::race,
             .why = "half of 250 is odd",
             .constants = {{"GROUP", 250}},
             .is_race = true},
        }};
}

}  // namespace parallax
