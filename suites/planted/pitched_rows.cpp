// Errors planted in the kernels of pitched_rows.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors pitched_rows_errors() {
    return {
        .small_shape = {{13, 5}},
        .small_constants = {{"GROUP", 8}, {"PITCH", 32}},
        .errors = {
            wrong(
                "pitched", "rows as if packed",
                {{"__kernel void single(__global const T* in, __global T* out, const ulong width, "
                  "const ulong pitch) {\n    __local __attribute__((aligned(ALIGN))) T "
                  "part[GROUP];\n    __global const T* row = in + get_group_id(0) * pitch;",
                  "__kernel void single(__global const T* in, __global T* out, const ulong width, "
                  "const ulong pitch) {\n    __local __attribute__((aligned(ALIGN))) T "
                  "part[GROUP];\n    __global const T* row = in + get_group_id(0) * width;"}},
                "the padding would show in a sum"),
            wrong("packed", "one element behind the row",
                  {{"for (size_t i = lane; i < width; i += GROUP) sum += row[i];",
                    "for (size_t i = lane; i <= width; i += GROUP) sum += row[i];"}},
                  "it is the next row's first, or a guard zone", {.oclgrind = Oclgrind::outside}),
            wrong("packed_four", "tail lost",
                  {{"for (size_t i = lane; i < width / 4; i += GROUP) sum += vload4(i, "
                    "row);\n    T own = (sum.x + sum.y) + (sum.z + sum.w);\n    for (size_t "
                    "i = width / 4 * 4 + lane; i < width; i += GROUP) own += row[i];",
                    "for (size_t i = lane; i < width / 4; i += GROUP) sum += vload4(i, "
                    "row);\n    T own = (sum.x + sum.y) + (sum.z + sum.w);"}},
                  "four does not divide the width"),
            wrong("pitched_four", "a quarter lost",
                  {{"sum += row4[i];\n    T own = (sum.x + sum.y) + (sum.z + sum.w);",
                    "sum += row4[i];\n    T own = (sum.x + sum.y) + sum.z;"}},
                  "no element is 0"),
            wrong("packed", "no barrier in the tree",
                  {{"        barrier(CLK_LOCAL_MEM_FENCE);\n        if (lane + upper < count)",
                    "        if (lane + upper < count)"}},
                  "an item adds what another has not written yet",
                  {.oclgrind = Oclgrind::race, .is_race = true}),
        }};
}

}  // namespace parallax
