// The volume of a ball by random points: the cost of random numbers, and ways to add counts. After
// exercise 4 of a course on OpenCL.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"
#include "suites/philox.hpp"

namespace parallax::sphere_suite {
namespace {

std::uint64_t group(const Case& c) {
    return count_of(c, "GROUP");
}

std::uint64_t group_of_items(const Case& c) {
    return group(c) * count_of(c, "ITEMS");
}

bool is_stream(const Case& c) {
    return c.variant->name == "stream";
}

/// Counts with `kernel`, which outputs `counts` numbers, and launches that add them up.
Plan counted(const Case& c, const char* kernel, std::uint64_t groups, std::uint64_t counts) {
    Plan plan;
    plan.buffers = {{"start", Role::input, ElementType::u32, 4},
                    {"inside", Role::output, ElementType::u64, 1}};
    const auto add = [&](const char* name, std::size_t source, std::uint64_t n,
                         std::uint64_t launched, std::uint64_t left, bool is_last) {
        std::size_t target = 1;
        if (!is_last) {
            target = plan.buffers.size();
            plan.buffers.push_back({"counts", Role::scratch, ElementType::u64, left});
        }
        plan.steps.push_back(Launch{
            name, in_a_row(launched, group(c)), {BufferIndex{source}, BufferIndex{target}, n}});
        return target;
    };
    std::size_t source = add(kernel, 0, c.shape[0], groups, counts, counts == 1);
    while (counts > 1) {
        const std::uint64_t left = divide_up(counts, group_of_items(c));
        source = add("add_counts", source, counts, left, left, left == 1);
        counts = left;
    }
    return plan;
}

Plan count_global(const Case& c) {
    const std::uint64_t groups = divide_up(c.shape[0], group_of_items(c));
    return counted(c, "count_items", groups, groups * group(c));
}

Plan count_tree(const Case& c) {
    const std::uint64_t groups = divide_up(c.shape[0], group_of_items(c));
    return counted(c, "count_groups", groups, groups);
}

Plan stream(const Case& c) {
    Plan plan;
    plan.buffers = {{"start", Role::input, ElementType::u32, 4},
                    {"words", Role::output, ElementType::u32, c.shape[0]}};
    plan.steps.push_back(Launch{"stream",
                                covering(divide_up(c.shape[0], 4), group(c)),
                                {BufferIndex{0}, BufferIndex{1}, c.shape[0]}});
    return plan;
}

/// The key, and the counter of the first point. Edge cases make sums wrap that a kernel may
/// truncate: the low word of the counter, the whole counter, and the keys of the rounds.
std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    std::vector<HostArray> arrays;
    arrays.emplace_back(ElementType::u32, 4);
    const std::span<std::uint32_t> start = arrays[0].as<std::uint32_t>();
    for (std::size_t i = 0; i < 4; ++i) start[i] = static_cast<std::uint32_t>(mix(seed, i));
    if (pattern.exact) {
        start[1] = start[2] = start[3] = 0;
        start[0] %= 65536;
    }
    const auto before_the_end = ~static_cast<std::uint32_t>(c.shape[0] / 8 % 65536);
    if (pattern.name == "past 32 bits") start[2] = before_the_end;
    if (pattern.name == "past 64 bits") {
        start[2] = before_the_end;
        start[3] = ~std::uint32_t{0};
    }
    return arrays;
}

/// Block `block` of point `i`.
std::array<std::uint32_t, 4> block_of(std::span<const std::uint32_t> start, std::uint64_t i,
                                      std::uint32_t block) {
    const std::uint64_t at = (std::uint64_t{start[3]} << 32 | start[2]) + i;
    return philox({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32), block, 0},
                  {start[0], start[1]});
}

std::uint64_t count_inside(std::span<const std::uint32_t> start, std::uint64_t n,
                           unsigned dimension) {
    std::vector<std::uint64_t> counts(chunk_count(n));
    for_chunks(n, [&](std::uint64_t begin, std::uint64_t end, std::size_t chunk) {
        std::uint64_t count = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
            std::uint64_t sum = 0;
            std::array<std::uint32_t, 4> words{};
            for (unsigned axis = 0; axis < dimension; ++axis) {
                if (axis % 4 == 0) words = block_of(start, i, axis / 4);
                const std::uint64_t middle = (words[axis % 4] >> 8) * 2 + 1;
                sum += middle * middle;
            }
            count += sum <= std::uint64_t{1} << 50;
        }
        counts[chunk] = count;
    });
    std::uint64_t all = 0;
    for (const std::uint64_t count : counts) all += count;
    return all;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const std::uint64_t n = c.shape[0];
    const std::span<const std::uint32_t> start = in[0].as<std::uint32_t>();
    if (is_stream(c)) {
        HostArray words(ElementType::u32, n);
        const std::span<std::uint32_t> out = words.as<std::uint32_t>();
        for_chunks(divide_up(n, 4), [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            for (std::uint64_t i = begin; i < end; ++i) {
                const auto block = block_of(start, i, 0);
                for (std::uint64_t k = 4 * i; k < std::min(n, 4 * i + 4); ++k)
                    out[k] = block[k % 4];
            }
        });
        return one_answer(std::move(words));
    }
    HostArray inside(ElementType::u64, 1);
    inside.as<std::uint64_t>()[0] = count_inside(start, n, static_cast<unsigned>(c["DIMENSION"]));
    return one_answer(std::move(inside));
}

/// `volume 4.18872 (right is 4.18879), ...`: the result, and its expected error.
std::string summary_of(const Case& c, const std::vector<Expected>& expected) {
    if (is_stream(c)) return {};
    const auto n = static_cast<double>(c.shape[0]);
    const auto d = static_cast<double>(c["DIMENSION"]);
    const double inside =
        static_cast<double>(std::get<HostArray>(expected[0].values).as<std::uint64_t>()[0]);
    const double cube = std::exp2(d);
    const double volume = cube * inside / n;
    const double right = std::pow(std::numbers::pi, d / 2) / std::tgamma(d / 2 + 1);
    const double share = right / cube;
    const double deviation = cube * std::sqrt(share * (1 - share) / n);
    // In one dimension the ball is the cube.
    const std::string errors = deviation > 0 ? fmt::format(", {:.2f} standard errors",
                                                           std::abs(volume - right) / deviation)
                                             : std::string{};
    return fmt::format(
        "The volume comes out as {:.6g}; the right one is {:.6g}: an error of {:.2g}{}.", volume,
        right, std::abs(volume - right), errors);
}

/// Integer operations: per round two high and two low products and four exclusive ors, in all but
/// one two additions to the key; per axis a shift, two for the middle, a product and a sum.
Work work(const Case& c) {
    constexpr double block = 10 * 8 + 9 * 2;
    const auto n = static_cast<double>(c.shape[0]);
    if (is_stream(c)) return {.bytes = 4 * n, .operations = n / 4 * block};
    const auto d = static_cast<double>(c["DIMENSION"]);
    return {.bytes = 16 + 8, .operations = n * (std::ceil(d / 4) * block + 5 * d + 2)};
}

}  // namespace

Suite suite() {
    return {
        .name = "sphere",
        .question = "How fast are random numbers, and what does it cost to count with them?",
        .source = "sphere.cl",
        .dimensions = {"n"},
        .types = {ElementType::i32},
        .constants =
            {
                {"DIMENSION", 3, 1, 16, "dimensions of the ball", {}, true},
                searched({"GROUP", 256, 2, 1024, "work-items of a group"}, group_sizes),
                searched({"ITEMS", 64, 1, 4096, "points, or counts, that a work-item takes"},
                         {16, 32, 64, 128, 256, 512}),
                {"ALIGN", 16, 8, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                {.name = "count_tree",
                 .description = "groups add their counts up in local memory and leave one each",
                 .plan = count_tree,
                 .problem = "count"},
                {.name = "count_global",
                 .description =
                     "every item leaves its count in memory, and further launches add up",
                 .plan = count_global,
                 .problem = "count"},
                {.name = "stream",
                 .description =
                     "the random words themselves, n of them, the same bits on every device",
                 .plan = stream,
                 .shapes = powers_of_two({16, 20, 24, 26, 28}),
                 .problem = "stream"},
            },
        .shapes = powers_of_two({16, 18, 20, 22, 24, 26, 28, 30}),
        .check_shapes = {{{1}}, {{2}}, {{3}}, {{5}}, {{255}}, {{257}}, {{16385}}, {{50021}}},
        .edge_cases = {{"past 32 bits"}, {"past 64 bits"}},
        .opt_in = {"count_global", "stream"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        .work = work,
        .refuse = [](const Case& c) -> std::string {
            const std::int64_t align = c["ALIGN"];
            return (align & (align - 1)) == 0 ? "" : "ALIGN must be a power of two.";
        },
        .summarize = summary_of,
    };
}

}  // namespace parallax::sphere_suite
