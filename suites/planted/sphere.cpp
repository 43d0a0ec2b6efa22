// Errors planted in the kernels of sphere.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors sphere_errors() {
    return {
        .small_shape = {{1001}},
        .small_constants = {{"GROUP", 6}, {"ITEMS", 4}},
        .errors = {
            wrong("stream", "nine rounds for ten", {{"round < 10", "round < 9"}},
                  "every round changes every word", {.type = ElementType::i32}),
            wrong("stream", "one number shared by two items",
                  {{"const uint4 block = block_of(start, i, 0);",
                    "const uint4 block = block_of(start, i & ~(size_t)1, 0);"}},
                  "no two points have the same counter", {.type = ElementType::i32}),
            wrong("stream", "counter of 32 bits",
                  {{"(((ulong)start[3] << 32) | start[2]) + point",
                    "(((ulong)start[3] << 32) | (uint)(start[2] + point))"}},
                  "the sum carries into the high word",
                  {.pattern = "past 32 bits", .type = ElementType::i32}),
            wrong("stream", "last words never written",
                  {{"} else {\n            words[4 * i] = block.x;",
                    "} else if (i == 0) {\n"
                    "            words[4 * i] = block.x;"}},
                  "50021 is no multiple of 4", {.type = ElementType::i32}),
            past_end("stream", "whole blocks only", {{"if (4 * i + 3 < n) {", "if (4 * i < n) {"}},
                     "the last block has one word only", {.type = ElementType::i32}),
            wrong("count_tree", "a point too many",
                  {{"if (point < n) count", "if (point <= n + 40) count"}},
                  "some of the points past the end are inside", {.type = ElementType::i32}),
            wrong("count_tree", "points dropped",
                  {{"k < ITEMS; ++k) {\n        const ulong point",
                    "k + 1 < ITEMS; ++k) {\n        const ulong point"}},
                  "about half of all points lie inside", {.type = ElementType::i32}),
            wrong("count_tree", "points counted twice",
                  {{"first + (ulong)k * GROUP;\n        if (point",
                    "first + (ulong)k * (GROUP - 1);\n        if (point"}},
                  "some points count twice and some not at all", {.type = ElementType::i32}),
            wrong("count_tree", "one axis missing",
                  {{"4 * block + 2 < DIMENSION", "4 * block + 3 < DIMENSION"}},
                  "more points lie in a disc than in a ball", {.type = ElementType::i32}),
            wrong("count_tree", "squares of 32 bits",
                  {{"const ulong middle = 2", "const uint middle = 2"}}, "a square has 50 bits",
                  {.type = ElementType::i32}),
            race("count_tree", "no barrier in the tree of counts",
                 {{"        barrier(CLK_LOCAL_MEM_FENCE);\n", ""}},
                 "an item adds what another has not written yet", {.type = ElementType::i32}),
            wrong("count_global", "counts lost between launches",
                  {{"if (i < n) mine", "if (i + GROUP < n) mine"}},
                  "the last group's counts are not 0", {.type = ElementType::i32}),
        }};
}

}  // namespace parallax
