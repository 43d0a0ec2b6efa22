// Errors planted in the kernels of reduction.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors reduction_errors() {
    return {
        .small_shape = {{1203}},
        .small_constants = {{"GROUP", 32}, {"ITEMS", 8}},
        .errors = {
            race("sequential", "no barrier in the tree",
                 {{"        barrier(CLK_LOCAL_MEM_FENCE);\n        if (lane + upper",
                   "        if (lane + upper"}},
                 "an item adds what its neighbour has not stored yet"),
            race("interleaved", "no barrier between strides",
                 {{"        barrier(CLK_LOCAL_MEM_FENCE);\n        if (at + stride",
                   "        if (at + stride"}},
                 "an item adds what its neighbour has not stored yet"),
            hidden_race("sequential", "result taken by another item",
                        {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    "
                          "reduce_group(part, lane);\n    if (lane == 0)",
                          "part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    "
                          "reduce_group(part, lane);\n    if (lane == GROUP - 1)"}},
                        "no barrier stands between the sum and its reader; items in order hide it"),
            wrong("sequential", "result taken by every item",
                  {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    "
                    "reduce_group(part, lane);\n    if (lane == 0)",
                    "part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    "
                    "reduce_group(part, lane);\n   "}},
                  "all items read what item 0 writes; items in order hide it",
                  {.finding = ExpectedFinding::blind,
                   .oclgrind = Oclgrind::race,
                   .is_race = true,
                   .is_benign = true}),
            hidden_race(
                "sequential", "one barrier, items backwards",
                {{"const T neutral) {\n    __local __attribute__((aligned(ALIGN))) T "
                  "part[GROUP];\n    const uint lane = get_local_id(0);\n    const size_t i = "
                  "get_global_id(0);\n    part[lane] = i < n ? combine(neutral, in[i]) : "
                  "neutral;\n    reduce_group",
                  "const T neutral) {\n    __local __attribute__((aligned(ALIGN))) T "
                  "part[GROUP];\n    const uint lane = GROUP - 1 - get_local_id(0);\n    const "
                  "size_t i = get_global_id(0);\n    part[lane] = i < n ? combine(neutral, "
                  "in[i]) : neutral;\n    reduce_group"},
                 {"    for (uint count = GROUP;",
                  "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (uint count = GROUP;"},
                 {"        barrier(CLK_LOCAL_MEM_FENCE);\n        if (lane + upper",
                  "        if (lane + upper"}},
                "each step reads what another item has just written; items in order, last lane "
                "first, hide it"),
            wrong("vector", "one of the tail lost",
                  {{"i < n; i += GROUP) value.x", "i + 1 < n; i += GROUP) value.x"}},
                  "no integer is 0, so no term can be lost unseen"),
            wrong("items", "one of 70001 terms lost",
                  {{"for (uint k = 0; k < ITEMS; ++k) value = combine",
                    "for (uint k = 0; k < ITEMS; ++k) if (start + k * GROUP != 54321) value "
                    "= combine"}},
                  "sums of the integers are exact and none is 0", {.pattern = "integers"}),
            wrong("interleaved", "last element of a long array lost",
                  {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    for",
                    "part[lane] = i < n && i != 99999 ? combine(neutral, in[i]) : neutral;\n "
                    "   for"}},
                  "the case's own shape is verified in addition to the small ones",
                  {.pattern = "integers", .shape = {{100000}}}),
            wrong("items", "sums start at 1",
                  {{"T value = neutral;\n    if (start - lane + GROUP * ITEMS <= n)",
                    "T value = (T)1;\n    if (start - lane + GROUP * ITEMS <= n)"}},
                  "1 is not neutral for a sum"),
            wrong("first_add", "minimum of ints starts at 0",
                  {{": neutral;\n    const T second", ": (T)0;\n    const T second"}},
                  "0 wins over elements that lie on the other side of it",
                  {.type = ElementType::i32, .constants = {{"OP", 1}}}),
            wrong("first_add", "maximum of ints starts at 0",
                  {{": neutral;\n    const T second", ": (T)0;\n    const T second"}},
                  "0 wins over elements that lie on the other side of it",
                  {.type = ElementType::i32, .constants = {{"OP", 2}}}),
            wrong("first_add", "minimum of floats starts at 0",
                  {{": neutral;\n    const T second", ": (T)0;\n    const T second"}},
                  "0 wins over elements that lie on the other side of it",
                  {.type = ElementType::f32, .constants = {{"OP", 1}}}),
            wrong("first_add", "maximum of floats starts at 0",
                  {{": neutral;\n    const T second", ": (T)0;\n    const T second"}},
                  "0 wins over elements that lie on the other side of it",
                  {.type = ElementType::f32, .constants = {{"OP", 2}}}),
            wrong("items", "maximum for minimum", {{"(b < a || a != a)", "(b > a || a != a)"}},
                  "the inputs are not all alike", {.constants = {{"OP", 1}}}),
            wrong("sequential", "a NaN wins", {{"(b > a || a != a)", "(b > a || b != b)"}},
                  "a maximum passes over a NaN", {.pattern = "one nan", .constants = {{"OP", 2}}}),
            wrong("vector", "tail added by every group",
                  {{"if (get_group_id(0) == get_num_groups(0) - 1) {", "if (lane < GROUP) {"}},
                  "70001 is no multiple of 4 and more than one group's share"),
            wrong("vector", "a tail longer than the group",
                  {{"for (size_t i = 4 * whole + lane; i < n; i += GROUP) value.x",
                    "const size_t i = 4 * whole + lane;\n        if (i < n) value.x"}},
                  "two items cannot take a tail of three at once",
                  {.constants = {{"GROUP", 2}, {"ITEMS", 4}}}),
            wrong("vector", "wrong stride in full groups",
                  {{"in4[start + k * GROUP]", "in4[start + k * (GROUP - 1)]"}},
                  "some elements count twice and some not at all"),
            wrong("first_add", "groups overlap",
                  {{"get_group_id(0) * (2 * GROUP) + lane", "get_group_id(0) * GROUP + lane"}},
                  "every element counts twice but the first"),
            wrong(
                "interleaved", "one word before the start",
                {{"part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];",
                  "part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = "
                  "part[0];\n    if (get_global_id(0) == 0) out[get_group_id(0) - 1] = part[0];"}},
                "a guard zone lies there",
                {.finding = ExpectedFinding::before, .oclgrind = Oclgrind::outside}),
            past_end(
                "interleaved", "one word behind the end",
                {{"part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];",
                  "part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = "
                  "part[0];\n    if (get_global_id(0) == 0) out[get_num_groups(0)] = part[0];"}},
                "a guard zone lies there"),
            wrong(
                "interleaved", "a mebibyte behind the end",
                {{"part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];",
                  "part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = "
                  "part[0];\n    if (get_global_id(0) == 0) out[262144] = part[0];"}},
                "no guard zone reaches that far",
                {.finding = ExpectedFinding::unfit, .oclgrind = Oclgrind::outside}),
            wrong(
                "interleaved", "result of the next group",
                {{"part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];",
                  "part[at + stride]);\n    }\n    if (lane == 0) out[(get_group_id(0) + 1) % "
                  "get_num_groups(0) / 2] = part[0];"}},
                "partial results overwrite each other", {.is_race = true}),
            wrong("items", "sum of doubles in float",
                  {{"T value = neutral;\n    if (start - lane + GROUP * ITEMS <= n)",
                    "float value = neutral;\n    if (start - lane + GROUP * ITEMS <= n)"}},
                  "the bound is that of double", {.pattern = "random", .type = ElementType::f64}),
            wrong("sequential", "ints cut to 16 bits",
                  {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    reduce_group",
                    "part[lane] = i < n ? combine(neutral, (T)(short)in[i]) : neutral;\n    "
                    "reduce_group"}},
                  "random ints fill all bits that a sum leaves them",
                  {.pattern = "random", .type = ElementType::i32}),
            wrong("sequential", "floats cut to ints",
                  {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    reduce_group",
                    "part[lane] = i < n ? combine(neutral, (T)(int)in[i]) : neutral;\n    "
                    "reduce_group"}},
                  "random floats have fractions", {.pattern = "random"}),
            wrong("interleaved", "denormals taken for 0",
                  {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    for",
                    "part[lane] = i < n ? combine(neutral, in[i] < 1e-30f && in[i] > -1e-30f ? "
                    "(T)0 : in[i]) : neutral;\n    for"}},
                  "a maximum of denormals is not 0",
                  {.pattern = "denormals", .constants = {{"OP", 2}}}),
            race("sequential", "tree for even groups only",
                 {{"const uint upper = (count + 1) / 2;", "const uint upper = count / 2;"}},
                 "half of 250 is odd", {.constants = {{"GROUP", 250}}}),
        }};
}

}  // namespace parallax
