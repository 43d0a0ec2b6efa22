// The table of planted errors: what is changed, what finds it, and why.
#include "suites/planted.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "common/error.hpp"
#include "kernels/embedded.hpp"

namespace parallax {
namespace {

std::vector<Planted> ceiling_errors() {
    return {
        {.suite = "ceiling",
         .variant = "fma",
         .name = "one chain too many",
         .kind = "missing bounds check",
         .changes = {{"if (i < n)", "if (i <= n)"}},
         .gate = Gate::behind,
         .oclgrind = Oclgrind::outside,
         .why = "the last chain of item n lies behind the buffer"},
        {.suite = "ceiling",
         .variant = "fma",
         .name = "last item idle",
         .kind = "lost tail",
         .changes = {{"if (i < n)", "if (i + 1 < n)"}},
         .why = "its outputs keep the poison"},
        {.suite = "ceiling",
         .variant = "fma",
         .name = "two roundings for one",
         .kind = "precision lost",
         .changes = {{"fma(x[c], a, b)", "x[c] * a + b"}},
         .why = "a chain of fused steps has but one right answer, to the bit",
         .filling = "random"},
        {.suite = "ceiling",
         .variant = "fma",
         .name = "wrong coefficient",
         .kind = "wrong operand",
         .changes = {{"coefficients[1]", "coefficients[0]"}},
         .why = "both are 1 with the integers, but not with the random inputs",
         .filling = "random"},
        {.suite = "ceiling",
         .variant = "fma",
         .name = "one step short",
         .kind = "off by one",
         .changes = {{"s < UNROLL", "s + 1 < UNROLL"}},
         .why = "every step adds 1 to an integer"},
        {.suite = "ceiling",
         .variant = "fma",
         .name = "chains interleaved",
         .kind = "swapped dimension",
         .changes = {{"out[c * n + i]", "out[i * CHAINS + c]"}},
         .why = "neighbouring starts differ"},
        {.suite = "ceiling",
         .variant = "fma",
         .name = "first chain never stored",
         .kind = "output never written",
         .changes = {{"for (uint c = 0; c < CHAINS; ++c) out",
                      "for (uint c = 1; c < CHAINS; ++c) out"}},
         .why = "it keeps the poison"},
        {.suite = "ceiling",
         .variant = "fma",
         .name = "chains in float",
         .kind = "precision lost",
         .changes = {{"const T a", "const float a"},
                     {"const T b", "const float b"},
                     {"T x[CHAINS]", "float x[CHAINS]"}},
         .why = "the integers fit in a float, the random doubles do not",
         .filling = "random",
         .type = ElementType::f64},
        {.suite = "ceiling",
         .variant = "fma",
         .name = "input overwritten",
         .kind = "altered input",
         .changes = {{"x[c] = in[c * n + i];",
                      "{\n            x[c] = in[c * n + i];\n            ((__global T*)in)[c * n + "
                      "i] = x[c] + 1;\n        }"}},
         .gate = Gate::altered,
         .why = "inputs are read back and compared"},
    };
}

std::vector<Planted> reduction_errors() {
    return {
        {.suite = "reduction",
         .variant = "sequential",
         .name = "no barrier in the tree",
         .kind = "missing barrier",
         .changes = {{"        barrier(CLK_LOCAL_MEM_FENCE);\n        if (lane + upper",
                      "        if (lane + upper"}},
         .oclgrind = Oclgrind::race,
         .why = "an item adds what its neighbour has not stored yet",
         .is_race = true},
        {.suite = "reduction",
         .variant = "interleaved",
         .name = "no barrier between strides",
         .kind = "missing barrier",
         .changes = {{"        barrier(CLK_LOCAL_MEM_FENCE);\n        if (at + stride",
                      "        if (at + stride"}},
         .oclgrind = Oclgrind::race,
         .why = "an item adds what its neighbour has not stored yet",
         .is_race = true},
        {.suite = "reduction",
         .variant = "sequential",
         .name = "result taken by another item",
         .kind = "race",
         .changes = {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    "
                      "reduce_group(part, lane);\n    if (lane == 0)",
                      "part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    "
                      "reduce_group(part, lane);\n    if (lane == GROUP - 1)"}},
         .gate = Gate::blind,
         .oclgrind = Oclgrind::race,
         .why = "no barrier stands between the sum and its reader; items in order hide it",
         .is_race = true},
        {.suite = "reduction",
         .variant = "sequential",
         .name = "result taken by every item",
         .kind = "race",
         .changes = {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    "
                      "reduce_group(part, lane);\n    if (lane == 0)",
                      "part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    "
                      "reduce_group(part, lane);\n   "}},
         .gate = Gate::blind,
         .oclgrind = Oclgrind::race,
         .why = "all items read what item 0 writes; items in order hide it",
         .is_race = true},
        {.suite = "reduction",
         .variant = "sequential",
         .name = "one barrier, items backwards",
         .kind = "missing barrier",
         .changes =
             {{"const T neutral) {\n    __local __attribute__((aligned(ALIGN))) T part[GROUP];\n   "
               " const uint lane = get_local_id(0);\n    const size_t i = get_global_id(0);\n    "
               "part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    reduce_group",
               "const T neutral) {\n    __local __attribute__((aligned(ALIGN))) T part[GROUP];\n   "
               " const uint lane = GROUP - 1 - get_local_id(0);\n    const size_t i = "
               "get_global_id(0);\n    part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n   "
               " reduce_group"},
              {"    for (uint count = GROUP;",
               "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (uint count = GROUP;"},
              {"        barrier(CLK_LOCAL_MEM_FENCE);\n        if (lane + upper",
               "        if (lane + upper"}},
         .gate = Gate::blind,
         .oclgrind = Oclgrind::race,
         .why = "each step reads what another item has just written; items in order, last lane "
                "first, hide it",
         .is_race = true},
        {.suite = "reduction",
         .variant = "vector",
         .name = "one of the tail lost",
         .kind = "lost tail",
         .changes = {{"i < n; i += GROUP) value.x", "i + 1 < n; i += GROUP) value.x"}},
         .why = "no integer is 0, so no term can be lost unseen"},
        {.suite = "reduction",
         .variant = "items",
         .name = "one of 70001 terms lost",
         .kind = "lost term",
         .changes =
             {{"for (uint k = 0; k < ITEMS; ++k) value = combine",
               "for (uint k = 0; k < ITEMS; ++k) if (start + k * GROUP != 54321) value = combine"}},
         .why = "sums of the integers are exact and none is 0",
         .filling = "integers"},
        {.suite = "reduction",
         .variant = "interleaved",
         .name = "last element of a long array lost",
         .kind = "lost term",
         .changes =
             {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    for",
               "part[lane] = i < n && i != 99999 ? combine(neutral, in[i]) : neutral;\n    for"}},
         .why = "the case's own shape is checked beside the small ones",
         .filling = "integers",
         .shape = {{100000}}},
        {.suite = "reduction",
         .variant = "items",
         .name = "sums start at 1",
         .kind = "wrong neutral element",
         .changes = {{"T value = neutral;\n    if (start - lane + GROUP * ITEMS <= n)",
                      "T value = (T)1;\n    if (start - lane + GROUP * ITEMS <= n)"}},
         .why = "1 is not neutral for a sum"},
        {.suite = "reduction",
         .variant = "first_add",
         .name = "minimum of ints starts at 0",
         .kind = "wrong neutral element",
         .changes = {{": neutral;\n    const T second", ": (T)0;\n    const T second"}},
         .why = "0 wins over elements that lie on the other side of it",
         .type = ElementType::i32,
         .constants = {{"OP", 1}}},
        {.suite = "reduction",
         .variant = "first_add",
         .name = "maximum of ints starts at 0",
         .kind = "wrong neutral element",
         .changes = {{": neutral;\n    const T second", ": (T)0;\n    const T second"}},
         .why = "0 wins over elements that lie on the other side of it",
         .type = ElementType::i32,
         .constants = {{"OP", 2}}},
        {.suite = "reduction",
         .variant = "first_add",
         .name = "minimum of floats starts at 0",
         .kind = "wrong neutral element",
         .changes = {{": neutral;\n    const T second", ": (T)0;\n    const T second"}},
         .why = "0 wins over elements that lie on the other side of it",
         .type = ElementType::f32,
         .constants = {{"OP", 1}}},
        {.suite = "reduction",
         .variant = "first_add",
         .name = "maximum of floats starts at 0",
         .kind = "wrong neutral element",
         .changes = {{": neutral;\n    const T second", ": (T)0;\n    const T second"}},
         .why = "0 wins over elements that lie on the other side of it",
         .type = ElementType::f32,
         .constants = {{"OP", 2}}},
        {.suite = "reduction",
         .variant = "items",
         .name = "maximum for minimum",
         .kind = "minimum and maximum mixed up",
         .changes = {{"(b < a || a != a)", "(b > a || a != a)"}},
         .why = "the inputs are not all alike",
         .constants = {{"OP", 1}}},
        {.suite = "reduction",
         .variant = "sequential",
         .name = "a NaN wins",
         .kind = "NaN rule broken",
         .changes = {{"(b > a || a != a)", "(b > a || b != b)"}},
         .why = "a maximum passes over a NaN",
         .filling = "one nan",
         .constants = {{"OP", 2}}},
        {.suite = "reduction",
         .variant = "vector",
         .name = "tail added by every group",
         .kind = "double counting",
         .changes = {{"if (get_group_id(0) == get_num_groups(0) - 1) {", "if (lane < GROUP) {"}},
         .why = "70001 is no multiple of 4 and more than one group's share"},
        {.suite = "reduction",
         .variant = "vector",
         .name = "a tail longer than the group",
         .kind = "lost tail",
         .changes = {{"for (size_t i = 4 * whole + lane; i < n; i += GROUP) value.x",
                      "const size_t i = 4 * whole + lane;\n        if (i < n) value.x"}},
         .why = "two items cannot take a tail of three at once",
         .constants = {{"GROUP", 2}, {"ITEMS", 4}}},
        {.suite = "reduction",
         .variant = "vector",
         .name = "wrong stride in full groups",
         .kind = "wrong stride",
         .changes = {{"in4[start + k * GROUP]", "in4[start + k * (GROUP - 1)]"}},
         .why = "some elements count twice and some not at all"},
        {.suite = "reduction",
         .variant = "first_add",
         .name = "groups overlap",
         .kind = "wrong stride",
         .changes = {{"get_group_id(0) * (2 * GROUP) + lane", "get_group_id(0) * GROUP + lane"}},
         .why = "every element counts twice but the first"},
        {.suite = "reduction",
         .variant = "interleaved",
         .name = "one word before the start",
         .kind = "write outside",
         .changes =
             {{"part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];",
               "part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];\n   "
               " if (get_global_id(0) == 0) out[get_group_id(0) - 1] = part[0];"}},
         .gate = Gate::before,
         .oclgrind = Oclgrind::outside,
         .why = "a guard zone lies there"},
        {.suite = "reduction",
         .variant = "interleaved",
         .name = "one word behind the end",
         .kind = "write outside",
         .changes =
             {{"part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];",
               "part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];\n   "
               " if (get_global_id(0) == 0) out[get_num_groups(0)] = part[0];"}},
         .gate = Gate::behind,
         .oclgrind = Oclgrind::outside,
         .why = "a guard zone lies there"},
        {.suite = "reduction",
         .variant = "interleaved",
         .name = "a mebibyte behind the end",
         .kind = "write outside",
         .changes =
             {{"part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];",
               "part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];\n   "
               " if (get_global_id(0) == 0) out[262144] = part[0];"}},
         .gate = Gate::unfit,
         .oclgrind = Oclgrind::outside,
         .why = "no guard zone reaches that far"},
        {.suite = "reduction",
         .variant = "interleaved",
         .name = "result of the next group",
         .kind = "wrong group index",
         .changes =
             {{"part[at + stride]);\n    }\n    if (lane == 0) out[get_group_id(0)] = part[0];",
               "part[at + stride]);\n    }\n    if (lane == 0) out[(get_group_id(0) + 1) % "
               "get_num_groups(0) / 2] = part[0];"}},
         .why = "partial results overwrite each other",
         .is_race = true},
        {.suite = "reduction",
         .variant = "items",
         .name = "sum of doubles in float",
         .kind = "precision lost",
         .changes = {{"T value = neutral;\n    if (start - lane + GROUP * ITEMS <= n)",
                      "float value = neutral;\n    if (start - lane + GROUP * ITEMS <= n)"}},
         .why = "the bound is that of double",
         .filling = "random",
         .type = ElementType::f64},
        {.suite = "reduction",
         .variant = "sequential",
         .name = "ints cut to 16 bits",
         .kind = "wrong conversion",
         .changes = {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    reduce_group",
                      "part[lane] = i < n ? combine(neutral, (T)(short)in[i]) : neutral;\n    "
                      "reduce_group"}},
         .why = "random ints fill all bits that a sum leaves them",
         .filling = "random",
         .type = ElementType::i32},
        {.suite = "reduction",
         .variant = "sequential",
         .name = "floats cut to ints",
         .kind = "wrong conversion",
         .changes = {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    reduce_group",
                      "part[lane] = i < n ? combine(neutral, (T)(int)in[i]) : neutral;\n    "
                      "reduce_group"}},
         .why = "random floats have fractions",
         .filling = "random"},
        {.suite = "reduction",
         .variant = "interleaved",
         .name = "denormals taken for 0",
         .kind = "denormals lost",
         .changes = {{"part[lane] = i < n ? combine(neutral, in[i]) : neutral;\n    for",
                      "part[lane] = i < n ? combine(neutral, in[i] < 1e-30f && in[i] > -1e-30f ? "
                      "(T)0 : in[i]) : neutral;\n    for"}},
         .why = "a maximum of denormals is not 0",
         .filling = "denormals",
         .constants = {{"OP", 2}}},
        {.suite = "reduction",
         .variant = "sequential",
         .name = "tree for even groups only",
         .kind = "off by one",
         .changes = {{"const uint upper = (count + 1) / 2;", "const uint upper = count / 2;"}},
         .oclgrind = Oclgrind::race,
         .why = "half of 250 is odd",
         .constants = {{"GROUP", 250}},
         .is_race = true},
    };
}

std::vector<Planted> transpose_errors() {
    return {
        {.suite = "transpose",
         .variant = "tiled",
         .name = "no barrier between load and store",
         .kind = "missing barrier",
         .changes = {{"    barrier(CLK_LOCAL_MEM_FENCE);\n", ""}},
         .oclgrind = Oclgrind::race,
         .why = "an item stores what another has not loaded yet",
         .is_race = true},
        {.suite = "transpose",
         .variant = "padded",
         .name = "tile not turned",
         .kind = "swapped dimension",
         .changes = {{"= tile[column][row + k]", "= tile[row + k][column]"}},
         .why = "integers tell all elements apart"},
        {.suite = "transpose",
         .variant = "naive",
         .name = "plain copy",
         .kind = "swapped dimension",
         .changes = {{"out[x * height + y + k]", "out[(y + k) * width + x]"}},
         .why = "integers tell all elements apart"},
        {.suite = "transpose",
         .variant = "naive",
         .name = "one row too many",
         .kind = "missing bounds check",
         .changes = {{"y + k < height", "y + k <= height"}},
         .gate = Gate::behind,
         .oclgrind = Oclgrind::outside,
         .why = "the last column's extra word lies behind the buffer",
         .is_race = true},
        {.suite = "transpose",
         .variant = "naive",
         .name = "every second row",
         .kind = "output never written",
         .changes = {{"k += ROWS) {\n        if (x < width",
                      "k += 2 * ROWS) {\n        if (x < width"}},
         .why = "the others keep the poison"},
        {.suite = "transpose",
         .variant = "tiled",
         .name = "last column not loaded",
         .kind = "wrong edge",
         .changes = {{"left + column < width", "left + column + 1 < width"}},
         .oclgrind = Oclgrind::uninitialized,
         .why = "what is stored is left from before"},
        {.suite = "transpose",
         .variant = "tiled",
         .name = "input overwritten",
         .kind = "altered input",
         .changes = {{"tile[row + k][column] = in[y * width + left + column];",
                      "{\n            tile[row + k][column] = in[y * width + left + column];\n     "
                      "       ((__global T*)in)[y * width + left + column] = 0;\n        }"}},
         .gate = Gate::altered,
         .why = "inputs are read back and compared"},
        {.suite = "transpose",
         .variant = "tiled",
         .name = "groups of the other dimension",
         .kind = "wrong group index",
         .changes = {{"left = get_group_id(0)", "left = get_group_id(1)"}},
         .why = "the grid is not square",
         .is_race = true},
        {.suite = "transpose",
         .variant = "naive",
         .name = "zero added",
         .kind = "not a copy of bits",
         .changes = {{"in[(y + k) * width + x]", "in[(y + k) * width + x] + (T)0"}},
         .why = "a signalling NaN comes out quiet",
         .filling = "any bits"},
        {.suite = "transpose",
         .variant = "tiled",
         .name = "tile one row short",
         .kind = "write outside",
         .changes = {{"tile[TILE][TILE + PAD]", "tile[TILE - 1][TILE + PAD]"}},
         .gate = Gate::unfit,
         .oclgrind = Oclgrind::outside,
         .why = "local arrays have no guard zones"},
        {.suite = "transpose",
         .variant = "tiled",
         .name = "every element stored twice",
         .kind = "race",
         .changes =
             {{"for (uint k = 0; k < TILE; k += ROWS) {\n        const size_t x = left + row + k;",
               "for (uint k = 0; k < TILE; k += ROWS / 2) {\n        const size_t x = left + row / "
               "2 + k;"},
              {"tile[column][row + k]", "tile[column][row / 2 + k]"}},
         .gate = Gate::blind,
         .oclgrind = Oclgrind::race,
         .why = "two items write the same word; that it is the same value hides it",
         .is_race = true},
    };
}

std::vector<Planted> strided_copy_errors() {
    return {
        {.suite = "strided_copy",
         .variant = "copy",
         .name = "one element too many",
         .kind = "missing bounds check",
         .changes = {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                      "if (i <= n) out[i] = in[i];\n}\n\n// The same"}},
         .gate = Gate::behind,
         .oclgrind = Oclgrind::outside,
         .why = "a guard zone lies behind the end"},
        {.suite = "strided_copy",
         .variant = "copy",
         .name = "one element lost",
         .kind = "lost term",
         .changes = {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                      "if (i < n && i != 4000) out[i] = in[i];\n}\n\n// The same"}},
         .why = "it keeps the poison"},
        {.suite = "strided_copy",
         .variant = "copy",
         .name = "input overwritten",
         .kind = "altered input",
         .changes = {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                      "if (i < n) out[i] = in[i];\n    if (i + 1 == n) ((__global T*)in)[i] = "
                      "0;\n}\n\n// The same"}},
         .gate = Gate::altered,
         .why = "inputs are read back and compared"},
        {.suite = "strided_copy",
         .variant = "copy",
         .name = "doubles through float",
         .kind = "wrong conversion",
         .changes = {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                      "if (i < n) out[i] = (float)in[i];\n}\n\n// The same"}},
         .why = "random doubles do not fit in a float",
         .filling = "random",
         .type = ElementType::f64},
        {.suite = "strided_copy",
         .variant = "copy",
         .name = "ints through float",
         .kind = "wrong conversion",
         .changes = {{"if (i < n) out[i] = in[i];\n}\n\n// The same",
                      "if (i < n) out[i] = (T)(float)in[i];\n}\n\n// The same"}},
         .why = "a float holds 24 bits of an int",
         .filling = "random",
         .type = ElementType::i32},
        {.suite = "strided_copy",
         .variant = "copy4",
         .name = "last of the tail lost",
         .kind = "lost tail",
         .changes = {{"i - whole < n - 4 * whole", "i - whole + 1 < n - 4 * whole"}},
         .why = "it keeps the poison"},
        {.suite = "strided_copy",
         .variant = "copy4",
         .name = "tail repeats its first",
         .kind = "wrong index",
         .changes = {{"= in[3 * whole + i]", "= in[4 * whole]"}},
         .why = "3 has a tail of three"},
        {.suite = "strided_copy",
         .variant = "copy4",
         .name = "components swapped",
         .kind = "wrong index",
         .changes = {{"out4[i] = in4[i];",
                      "out4[i] = (T4)(in4[i].x, in4[i].z, in4[i].y, in4[i].w);"}},
         .why = "integers tell neighbours apart"},
        {.suite = "strided_copy",
         .variant = "strided",
         .name = "first element by the wrong index",
         .kind = "wrong group index",
         .changes = {{"get_group_id(1)", "get_group_id(0)"}},
         .why = "some elements are never written",
         .is_race = true},
        {.suite = "strided_copy",
         .variant = "strided",
         .name = "stride one too large",
         .kind = "wrong stride",
         .changes = {{"get_global_id(0) * stride", "get_global_id(0) * (stride + 1)"}},
         .why = "some elements are never written"},
        {.suite = "strided_copy",
         .variant = "offset",
         .name = "no way round",
         .kind = "wrong edge",
         .changes = {{"item + offset - n", "item"}},
         .why = "the first elements are never written",
         .is_race = true},
        {.suite = "strided_copy",
         .variant = "offset",
         .name = "one word before the start",
         .kind = "write outside",
         .changes =
             {{"        out[i] = in[i];\n    }",
               "        out[i] = in[i];\n        if (item == 0) out[item - 1] = in[i];\n    }"}},
         .gate = Gate::before,
         .oclgrind = Oclgrind::outside,
         .why = "a guard zone lies there"},
    };
}

std::vector<Planted> stencil1d_errors() {
    return {
        {.suite = "stencil1d",
         .variant = "staged",
         .name = "no barrier after the load",
         .kind = "missing barrier",
         .changes = {{"    barrier(CLK_LOCAL_MEM_FENCE);\n    if (start", "    if (start"}},
         .oclgrind = Oclgrind::race,
         .why = "an item adds what another has not loaded yet",
         .is_race = true},
        {.suite = "stencil1d",
         .variant = "several",
         .name = "no barrier after the load of many",
         .kind = "missing barrier",
         .changes = {{"    barrier(CLK_LOCAL_MEM_FENCE);\n    for (uint j", "    for (uint j"}},
         .oclgrind = Oclgrind::race,
         .why = "an item adds what another has not loaded yet",
         .is_race = true},
        {.suite = "stencil1d",
         .variant = "staged",
         .name = "barrier for some of the items",
         .kind = "barrier in divergent flow",
         .changes =
             {{"    barrier(CLK_LOCAL_MEM_FENCE);\n    if (start + lane < n) {\n        T sum",
               "    if (start + lane < n) {\n        barrier(CLK_LOCAL_MEM_FENCE);\n        T "
               "sum"}},
         .gate = Gate::unfit,
         .oclgrind = Oclgrind::divergence,
         .why = "all items of a group must meet at a barrier or none"},
        {.suite = "stencil1d",
         .variant = "global",
         .name = "last neighbour missing",
         .kind = "lost term",
         .changes = {{"k <= 2 * RADIUS; ++k) sum += in[i - RADIUS + k]",
                      "k < 2 * RADIUS; ++k) sum += in[i - RADIUS + k]"}},
         .why = "no integer is 0"},
        {.suite = "stencil1d",
         .variant = "global",
         .name = "one neighbour from behind the end",
         .kind = "wrong edge",
         .changes = {{"i + RADIUS < n", "i + RADIUS <= n"}},
         .oclgrind = Oclgrind::outside,
         .why = "what lies behind the array counts as 0, and is not 0"},
        {.suite = "stencil1d",
         .variant = "global",
         .name = "first element left out",
         .kind = "wrong edge",
         .changes = {{"i + k >= RADIUS", "i + k > RADIUS"}},
         .why = "no integer is 0"},
        {.suite = "stencil1d",
         .variant = "staged",
         .name = "right halo not loaded",
         .kind = "wrong edge",
         .changes = {{"t < GROUP + 2 * RADIUS; t += GROUP", "t < GROUP; t += GROUP"}},
         .oclgrind = Oclgrind::uninitialized,
         .why = "what is added is left from before"},
        {.suite = "stencil1d",
         .variant = "staged",
         .name = "outputs one too far",
         .kind = "off by one",
         .changes = {{"out[start + lane] = sum", "out[start + lane + 1] = sum"}},
         .oclgrind = Oclgrind::outside,
         .why = "the first one is never written"},
        {.suite = "stencil1d",
         .variant = "staged",
         .name = "one output too many",
         .kind = "missing bounds check",
         .changes = {{"if (start + lane < n)", "if (start + lane <= n)"}},
         .gate = Gate::behind,
         .oclgrind = Oclgrind::outside,
         .why = "a guard zone lies behind the end"},
        {.suite = "stencil1d",
         .variant = "several",
         .name = "every second run of outputs",
         .kind = "output never written",
         .changes = {{"j < GROUP * ITEMS; j += GROUP", "j < GROUP * ITEMS; j += 2 * GROUP"}},
         .why = "the others keep the poison"},
        {.suite = "stencil1d",
         .variant = "several",
         .name = "own element counts twice",
         .kind = "double counting",
         .changes =
             {{"T sum = 0;\n            for (uint k = 0; k <= 2 * RADIUS; ++k) sum += tile[j",
               "T sum = tile[j + lane + RADIUS];\n            for (uint k = 0; k <= 2 * RADIUS; "
               "++k) sum += tile[j"}},
         .why = "no integer is 0"},
        {.suite = "stencil1d",
         .variant = "staged",
         .name = "sum of doubles rounded to float",
         .kind = "precision lost",
         .changes = {{"if (start + lane < n) {\n        T sum",
                      "if (start + lane < n) {\n        float sum"}},
         .why = "the bound is that of double",
         .filling = "random",
         .type = ElementType::f64},
    };
}

std::vector<Planted> multiply_errors() {
    return {
        {.suite = "multiply",
         .variant = "staged_ab",
         .name = "no barrier after the load of tiles",
         .kind = "missing barrier",
         .changes = {{"column] : 0;\n        barrier(CLK_LOCAL_MEM_FENCE);\n        for (uint i",
                      "column] : 0;\n        for (uint i"}},
         .gate = Gate::blind,
         .oclgrind = Oclgrind::race,
         .why = "an item multiplies what another has not loaded yet; PoCL sets barriers of its own "
                "around loops that all items run alike",
         .is_race = true},
        {.suite = "multiply",
         .variant = "staged_ab",
         .name = "no barrier before the next tiles",
         .kind = "missing barrier",
         .changes =
             {{"sum = fma(tile_a[y][i], tile_b[i][x], sum);\n        barrier(CLK_LOCAL_MEM_FENCE);",
               "sum = fma(tile_a[y][i], tile_b[i][x], sum);"}},
         .gate = Gate::blind,
         .oclgrind = Oclgrind::race,
         .why = "an item replaces what another still multiplies; PoCL sets barriers of its own "
                "around loops that all items run alike",
         .is_race = true},
        {.suite = "multiply",
         .variant = "blocked",
         .name = "no barrier before the next block",
         .kind = "missing barrier",
         .changes = {{"            }\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    "
                      "for (uint i",
                      "            }\n        }\n    }\n    for (uint i"}},
         .gate = Gate::blind,
         .oclgrind = Oclgrind::race,
         .why = "an item replaces what another still multiplies; PoCL sets barriers of its own "
                "around loops that all items run alike",
         .is_race = true},
        {.suite = "multiply",
         .variant = "naive",
         .name = "b by columns",
         .kind = "swapped dimension",
         .changes = {{"b[i * n + column]", "b[column * n + i]"}},
         .why = "no row of b is its column"},
        {.suite = "multiply",
         .variant = "naive",
         .name = "last product missing",
         .kind = "lost term",
         .changes = {{"i < k; ++i)", "i + 1 < k; ++i)"}},
         .why = "no integer is 0"},
        {.suite = "multiply",
         .variant = "naive",
         .name = "rows of the wrong length",
         .kind = "wrong stride",
         .changes = {{"        c[row * n + column] = sum;", "        c[row * m + column] = sum;"}},
         .why = "m is not n",
         .is_race = true},
        {.suite = "multiply",
         .variant = "naive",
         .name = "rows and columns of items swapped",
         .kind = "swapped dimension",
         .changes = {{"const size_t column = get_global_id(0);\n    const size_t row = "
                      "get_global_id(1);\n    if",
                      "const size_t column = get_global_id(1);\n    const size_t row = "
                      "get_global_id(0);\n    if"}},
         .why = "the grid is not square"},
        {.suite = "multiply",
         .variant = "staged_a",
         .name = "one row too many",
         .kind = "missing bounds check",
         .changes =
             {{"if (row < m && column < n) c[row * n + column] = sum;\n}\n\n// A tile of each",
               "if (row <= m && column < n) c[row * n + column] = sum;\n}\n\n// A tile of each"}},
         .gate = Gate::behind,
         .oclgrind = Oclgrind::outside,
         .why = "a guard zone lies behind the last row"},
        {.suite = "multiply",
         .variant = "staged_a",
         .name = "rows of b behind the last",
         .kind = "read outside",
         .changes = {{"if (start + i < k) sum", "sum"}},
         .oclgrind = Oclgrind::outside,
         .why = "0 times a guard zone is not 0: it holds no numbers"},
        {.suite = "multiply",
         .variant = "staged_ab",
         .name = "sums rounded to float",
         .kind = "precision lost",
         .changes = {{"sum = fma(tile_a[y][i], tile_b[i][x], sum);",
                      "sum = (float)fma(tile_a[y][i], tile_b[i][x], sum);"}},
         .why = "the bound is that of double",
         .filling = "random",
         .type = ElementType::f64},
        {.suite = "multiply",
         .variant = "blocked",
         .name = "column of a by the item's x",
         .kind = "swapped dimension",
         .changes = {{"tile_a[d][place(y, i, side)]", "tile_a[d][place(x, i, side)]"}},
         .why = "no row of a is another"},
        {.suite = "multiply",
         .variant = "blocked",
         .name = "runs half as far apart",
         .kind = "wrong stride",
         .changes = {{"(e / 4) * (4 * items)", "(e / 4) * (2 * items)"}},
         .why = "a quarter of a full block is never written",
         .is_race = true},
        {.suite = "multiply",
         .variant = "blocked",
         .name = "full tiles of a drift",
         .kind = "wrong stride",
         .changes = {{"from_a += items / DEPTH * k", "from_a += items / DEPTH * (k - 1)"}},
         .why = "129 x 131 x 35 has full tiles and others"},
        {.suite = "multiply",
         .variant = "blocked",
         .name = "first sum starts at 1",
         .kind = "wrong constant",
         .changes = {{"sums[i][j] = 0;", "sums[i][j] = i + j == 0;"}},
         .why = "1 is not neutral for a sum"},
        {.suite = "multiply",
         .variant = "staged_ab",
         .name = "input altered and used",
         .kind = "altered input",
         .changes =
             {{"tile_b[y][x] = ",
               "if (row == 0 && column == 0) ((__global T*)b)[0] += 1;\n        tile_b[y][x] = "}},
         .why = "the tile takes the altered element",
         .is_race = true},
    };
}

/// What an interpreter gets of a suite.
struct Small {
    std::string suite;
    Shape shape;
    std::vector<Constant> constants;
};

const std::vector<Small>& small_cases() {
    static const std::vector<Small> list{
        {"ceiling", {{101}}, {{"GROUP", 32}, {"CHAINS", 3}, {"UNROLL", 2}, {"ROUNDS", 3}}},
        {"reduction", {{1203}}, {{"GROUP", 32}, {"ITEMS", 8}}},
        {"transpose", {{19, 13}}, {{"TILE", 8}, {"ROWS", 4}}},
        {"strided_copy", {{107}}, {{"GROUP", 16}}},
        {"stencil1d", {{131}}, {{"GROUP", 16}, {"ITEMS", 2}}},
        {"multiply", {{19, 17, 11}}, {{"TILE", 4}, {"BLOCK", 16}, {"EACH", 4}, {"DEPTH", 4}}},
    };
    return list;
}

Case small_case(const Suite& suite, const Variant& variant, ElementType type, Shape shape,
                const std::vector<Constant>& constants) {
    const auto small = std::ranges::find(small_cases(), suite.name, &Small::suite);
    if (small == small_cases().end()) {
        if (shape.extents.empty()) shape = suite.check_shapes.front();
        return make_case(suite, variant, shape, type, constants);
    }
    std::vector<Constant> all = small->constants;
    for (const Constant& one : constants) {
        const auto same = std::ranges::find(all, one.name, &Constant::name);
        if (same != all.end()) {
            *same = one;
        } else {
            all.push_back(one);
        }
    }
    return make_case(suite, variant, shape.extents.empty() ? small->shape : shape, type, all);
}

}  // namespace

const std::vector<Planted>& planted_errors() {
    static const std::vector<Planted> list = [] {
        std::vector<Planted> all;
        for (auto* errors : {ceiling_errors, reduction_errors, transpose_errors,
                             strided_copy_errors, stencil1d_errors, multiply_errors}) {
            std::ranges::move(errors(), std::back_inserter(all));
        }
        return all;
    }();
    return list;
}

const Planted& planted_named(std::string_view name) {
    const auto found = std::ranges::find(planted_errors(), name, &Planted::name);
    if (found == planted_errors().end()) {
        throw UsageError(fmt::format("There is no planted error '{}'.", name));
    }
    return *found;
}

Case case_of(const Planted& planted) {
    const Suite& suite = suite_named(planted.suite);
    return make_case(suite, variant_named(suite, planted.variant),
                     planted.shape.extents.empty() ? suite.check_shapes.back() : planted.shape,
                     planted.type, planted.constants);
}

std::string kernel_text(std::string_view file) {
    const auto files = embedded_kernels();
    const auto found = std::ranges::find(files, file, &EmbeddedFile::name);
    if (found == files.end()) throw UsageError(fmt::format("There is no kernel file '{}'.", file));
    return std::string(found->text);
}

Program program_of(const Case& c) {
    RunContext context;
    context.kernel_text = kernel_text;
    return program_of(c, context);
}

Program program_with(const Planted& planted, const Case& c) {
    Program program = program_of(c);
    for (const Change& change : planted.changes) {
        program.edits.push_back({planted.name, change.find, change.replace});
    }
    return program;
}

Case small_case(const Suite& suite, const Variant& variant) {
    return small_case(suite, variant, suite.types.front(), {}, {});
}

Case small_case(const Planted& planted) {
    const Suite& suite = suite_named(planted.suite);
    return small_case(suite, variant_named(suite, planted.variant), planted.type,
                      planted.oclgrind_shape, planted.constants);
}

}  // namespace parallax
