// One kernel with several preferences for dividing a compute unit's memory into cache and local
// memory.
#include <algorithm>
#include <optional>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"

namespace parallax::cache_split_suite {
namespace {

std::uint64_t groups_of(const Case& c) {
    return divide_up(c.shape[0], static_cast<std::uint64_t>(c["GROUP"]));
}

Plan plan(const Case& c, std::optional<std::uint32_t> carveout) {
    Plan plan;
    plan.buffers = {
        {"in", Role::input, c.type, groups_of(c) * static_cast<std::uint64_t>(c["WORDS"])},
        {"out", Role::output, c.type, c.shape[0]}};
    plan.steps = {Launch{"look_again",
                         {{groups_of(c), 1, 1}, {static_cast<std::uint64_t>(c["GROUP"]), 1, 1}},
                         {BufferIndex{0}, BufferIndex{1}, c.shape[0]},
                         carveout}};
    return plan;
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    HostArray in(c.type, groups_of(c) * static_cast<std::uint64_t>(c["WORDS"]));
    fill_by_index(in.as<std::uint32_t>(), [&](std::uint64_t i) {
        return pattern.exact ? i + seed : mix(seed, i) & 0xffffffffu;
    });
    std::vector<HostArray> arrays;
    arrays.push_back(std::move(in));
    return arrays;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& arrays) {
    const auto in = arrays[0].as<std::uint32_t>();
    const auto group = static_cast<std::uint64_t>(c["GROUP"]);
    const auto words = static_cast<std::uint64_t>(c["WORDS"]);
    const std::uint64_t steps = static_cast<std::uint64_t>(c["ROUNDS"]) * (words / group);
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
    std::vector<Expected> expected(1);
    expected[0].values = std::move(out);
    return expected;
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
        .shapes = {{{1u << 14}}, {{1u << 17}}, {{1u << 18}}, {{1u << 19}}, {{1u << 20}}},
        .check_shapes = {{{1}}, {{1023}}, {{1025}}, {{2053}}},
        .edge_cases = {},
        .opt_in = {"more_local", "half", "more_cache"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        // Every word is needed once, however often it is fetched; each use is an operation.
        .work =
            [](const Case& c) {
                const double set =
                    static_cast<double>(groups_of(c)) * static_cast<double>(c["WORDS"]);
                return Work{.bytes = (set + static_cast<double>(c.shape[0])) *
                                     static_cast<double>(size_of(c.type)),
                            .operations = set * static_cast<double>(c["ROUNDS"])};
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
