// Reads local memory at every stride, unchanged and padded for its banks.
#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"

namespace parallax::bank_conflicts_suite {
namespace {

Plan plan(const Case& c, const char* kernel) {
    const auto group = count_of(c, "GROUP");
    const auto words = count_of(c, "WORDS");
    Plan plan = in_to_out(c, c.shape[0] * words, c.shape[0] * group);
    plan.steps = {
        Launch{kernel,
               in_a_row(c.shape[0], group),
               {BufferIndex{0}, BufferIndex{1}, static_cast<std::uint32_t>(c["STRIDE"])}}};
    return plan;
}

/// Integers, or halves of them for types that support these, so small that every sum is exact in
/// any type.
std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    std::vector<HostArray> arrays;
    arrays.emplace_back(c.type, c.shape[0] * count_of(c, "WORDS"));
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        fill_by_index(arrays[0].as<T>(), [&](std::uint64_t i) {
            if (pattern.exact) return static_cast<T>(1 + (i + seed) % 127);
            return static_cast<T>(small_integer(seed, i)) /
                   static_cast<T>(is_floating(c.type) ? 2 : 1);
        });
    });
    return arrays;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const auto group = count_of(c, "GROUP");
    const auto words = count_of(c, "WORDS");
    const auto stride = count_of(c, "STRIDE");
    const auto rounds = count_of(c, "ROUNDS");
    HostArray out(c.type, c.shape[0] * group);
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        const auto from = in[0].as<T>();
        const std::span<T> to = out.as<T>();
        const auto sums_of_groups = [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            std::vector<double> before(words + 1);  // prefix sums of a work-group's words
            for (std::uint64_t g = begin; g < end; ++g) {
                for (std::uint64_t w = 0; w < words; ++w) {
                    before[w + 1] = before[w] + static_cast<double>(from[g * words + w]);
                }
                for (std::uint64_t lane = 0; lane < group; ++lane) {
                    const std::uint64_t first = lane * stride % words, last = first + rounds;
                    const std::uint64_t laps = last / words;
                    to[g * group + lane] =
                        static_cast<T>(static_cast<double>(laps) * before[words] +
                                       before[last % words] - before[first]);
                }
            }
        };
        for_chunks(c.shape[0], sums_of_groups, 1);
    });
    return one_answer(std::move(out));
}

std::string refuse(const Case& c) {
    if (c["WORDS"] % 32 != 0) return "WORDS must be a multiple of 32, the number of banks.";
    return refuse_alignment(c);
}

Variant variant(const char* name, const char* description) {
    return {.name = name,
            .description = description,
            .plan = [=](const Case& c) { return plan(c, name); },
            .sweep = {"STRIDE", {1, 2, 32, 33}, {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 31, 32, 33}}};
}

}  // namespace

Suite suite() {
    return {
        .name = "bank_conflicts",
        .question = "Which strides through local memory make items wait for each other?",
        .source = "bank_conflicts.cl",
        .dimensions = {"groups"},
        .types = {ElementType::f32, ElementType::f64, ElementType::i32},
        .constants =
            {
                {"GROUP", 256, 1, 1024, "work-items of a group", {}, true},
                {"WORDS", 1024, 32, 4096, "elements in a group's local memory", {}, true},
                {"ROUNDS", 256, 1, 65536, "elements that an item reads", {}, true},
                argument({"STRIDE",
                          32,
                          0,
                          1024,
                          "elements from one item's to the next one's",
                          {},
                          true}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants = {variant("strided",
                             "as it lies: a stride that shares a factor with 32 collides"),
                     variant("spaced",
                             "a spare element after every 32: powers of two meet all banks")},
        .shapes = {{{64}}, {{1056}}, {{4224}}, {{16896}}},
        .check_shapes = {{{1}}, {{3}}},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::exact(); },
        // Reading and adding an element counts as one operation.
        .work =
            [](const Case& c) {
                const double items = length(c) * times(c, "GROUP");
                const double loaded = length(c) * times(c, "WORDS");
                return moving(c, items + loaded, items * times(c, "ROUNDS"));
            },
        .refuse = refuse,
    };
}

}  // namespace parallax::bank_conflicts_suite
