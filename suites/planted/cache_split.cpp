// Errors planted in the kernel of cache_split.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors cache_split_errors() {
    return {
        .small_shape = {{19}},
        .small_constants = {{"GROUP", 8}, {"WORDS", 24}, {"ROUNDS", 3}},
        .errors = {
            wrong("as_is", "one step short", {{"uint step = 0u;", "uint step = 1u;"}},
                  "every word has its power of 31", {.type = ElementType::i32}),
            wrong_outside(
                "as_is", "on beyond the working set",
                {{"        if (at >= WORDS) at -= WORDS;\n", ""}},
                "the words of the next group are others, and behind the last group's is a "
                "guard zone",
                {.type = ElementType::i32}),
            wrong("as_is", "the first group's words for all",
                  {{"in + get_group_id(0) * (size_t)WORDS", "in"}},
                  "groups have words of their own", {.type = ElementType::i32}),
            past_end("as_is", "one item beyond the last of a set", {{"if (i < n)", "if (i <= n)"}},
                     "a guard zone follows the end", {.type = ElementType::i32}),
        }};
}

}  // namespace parallax
