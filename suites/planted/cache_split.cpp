// Errors planted in the kernel of cache_split.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors cache_split_errors() {
    return {.small_shape = {{19}},
            .small_constants = {{"GROUP", 8}, {"WORDS", 24}, {"ROUNDS", 3}},
            .errors = {
                {.variant = "as_is",
                 .name = "one step short",
                 .changes = {{"uint step = 0u;", "uint step = 1u;"}},
                 .why = "every word has its power of 31",
                 .type = ElementType::i32},
                {.variant = "as_is",
                 .name = "on beyond the working set",
                 .changes = {{"        if (at >= WORDS) at -= WORDS;\n", ""}},
                 .oclgrind = Oclgrind::outside,
                 .why = "the words of the next group are others, and behind the last group's is a "
                        "guard zone",
                 .type = ElementType::i32},
                {.variant = "as_is",
                 .name = "the first group's words for all",
                 .changes = {{"in + get_group_id(0) * (size_t)WORDS", "in"}},
                 .why = "groups have words of their own",
                 .type = ElementType::i32},
                {.variant = "as_is",
                 .name = "one item beyond the last of a set",
                 .changes = {{"if (i < n)", "if (i <= n)"}},
                 .finding = ExpectedFinding::behind,
                 .oclgrind = Oclgrind::outside,
                 .why = "a guard zone follows the end",
                 .type = ElementType::i32},
            }};
}

}  // namespace parallax
