// One kernel with several preferences for dividing a compute unit's memory into cache and local
// memory.
#include <algorithm>
#include <optional>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"

namespace parallax::cache_split_suite {
namespace {

std::uint64_t groups_of(const Case& c) {
    return divide_up(c.shape[0], count_of(c, "GROUP"));
}

Plan plan(const Case& c, std::optional<std::uint32_t> carveout) {
    Plan plan = in_to_out(c, groups_of(c) * count_of(c, "WORDS"), c.shape[0]);
    plan.steps = {Launch{"look_again",
                         in_a_row(groups_of(c), count_of(c, "GROUP")),
                         {BufferIndex{0}, BufferIndex{1}, c.shape[0]},
                         carveout}};
    return plan;
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    HostArray in(c.type, groups_of(c) * count_of(c, "WORDS"));
    fill_by_index(in.as<std::uint32_t>(), [&](std::uint64_t i) {
        return pattern.exact ? i + seed : mix(seed, i) & 0xffffffffu;
    });
    return one_array(std::move(in));
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& arrays) {
    const auto in = arrays[0].as<std::uint32_t>();
    const auto group = count_of(c, "GROUP");
    const auto words = count_of(c, "WORDS");
    const std::uint64_t steps = count_of(c, "ROUNDS") * (words / group);
    HostArray out(c.type, c.shape[0]);
    std::ranges::fill(out.bytes(), std::byte{0});
    for_chunks(
        groups_of(c),
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            for (std::uint64_t number = begin; number < end; ++number) {
                const auto set = in.subspan(number * words, words);
                const auto whole = out.as<std::uint32_t>().subspan(number * group);
                const auto sums = whole.first(std::min<std::uint64_t>(group, whole.size()));
                for (std::uint64_t step = 0; step < steps; ++step) {
                    std::uint64_t at = step * group % words;
                    for (std::uint32_t& sum : sums) {
                        sum = sum * 31 + set[at++];
                        if (at == words) at = 0;
                    }
                }
            }
        },
        divide_up(1 << 15, group));
    return one_answer(std::move(out));
}

Variant variant(const char* name, const char* description, std::optional<std::uint32_t> carveout) {
    return {.name = name,
            .description = description,
            .plan = [=](const Case& c) { return plan(c, carveout); },
            .sweep = {"WORDS", {4096, 16384, 24576}, {1024, 4096, 8192, 16384, 24576, 32768}}};
}

}  // namespace

Suite suite() {
    return {
        .name = "cache_split",
        .question = "Does it pay to say how much of a compute unit's memory should be cache?",
        .source = "cache_split.cl",
        .dimensions = {"n"},
        .types = {ElementType::i32},
        .constants =
            {
                {"GROUP", 1024, 1, 1024, "work-items of a group", {}, true},
                {"WORDS", 24576, 1, 1 << 20, "elements of a group's working set", {}, true},
                {"ROUNDS", 16, 1, 4096, "times that a group goes through them", {}, true},
            },
        .variants =
            {
                variant("as_is", "the driver's own choice", {}),
                variant("more_cache", "no local memory: all of it cache", 0),
                variant("half", "one half local memory, the other cache", 50),
                variant("more_local", "as much local memory as can be: little cache is left", 100),
            },
        .shapes = powers_of_two({14, 17, 18, 19, 20}),
        .check_shapes = {{{1}}, {{1023}}, {{1025}}, {{2053}}},
        .opt_in = {"more_local", "half", "more_cache"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        // Every word is needed once, however often it is fetched; each use is an operation.
        .work =
            [](const Case& c) {
                const double set = static_cast<double>(groups_of(c)) * times(c, "WORDS");
                return moving(c, set + length(c), set * times(c, "ROUNDS"));
            },
        .refuse = [](const Case& c) -> std::string {
            if (c["WORDS"] % c["GROUP"] != 0) {
                return "WORDS must be a multiple of GROUP: every item looks at as many.";
            }
            return {};
        },
    };
}

}  // namespace parallax::cache_split_suite
