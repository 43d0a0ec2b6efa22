// Measures a device's peak rates: copies within its memory, and fused multiply-adds.
#include <cmath>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"

namespace parallax::ceiling_suite {
namespace {

Plan copy(const Case& c) {
    Plan plan = in_to_out(c);
    plan.steps.push_back(CopyBuffer{{0}, {1}});
    return plan;
}

/// Whether the case copies its input: `copy` by the runtime, `launch` by one work-group.
bool is_copy(const Case& c) {
    return c.variant->name != "fma";
}

Plan launch(const Case& c) {
    Plan plan = copy(c);
    const auto group = count_of(c, "GROUP");
    plan.steps = {
        Launch{"launch", in_a_row(1, group), {BufferIndex{0}, BufferIndex{1}, c.shape[0]}}};
    return plan;
}

std::uint64_t chain_count(const Case& c) {
    return c.shape[0] * count_of(c, "CHAINS");
}

std::uint64_t steps_of(const Case& c) {
    return count_of(c, "ROUNDS") * count_of(c, "UNROLL");
}

Plan fma_chains(const Case& c) {
    const auto group = count_of(c, "GROUP");
    Plan plan;
    plan.buffers = {{"in", Role::input, c.type, chain_count(c)},
                    {"coefficients", Role::input, c.type, 2},
                    {"out", Role::output, c.type, chain_count(c)}};
    plan.steps.push_back(Launch{"fma_chains",
                                covering(c.shape[0], group),
                                {BufferIndex{0}, BufferIndex{1}, BufferIndex{2}, c.shape[0]}});
    return plan;
}

// Values repeat, so that the reference need not compute every chain. The period is a prime, so that
// it is no multiple of a work-group or chain length.
constexpr std::uint64_t period = 1021;

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    std::vector<HostArray> arrays;
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        HostArray in(c.type, is_copy(c) ? c.shape[0] : chain_count(c));
        fill_by_index(in.as<T>(), [&](std::uint64_t i) {
            const std::uint64_t at = is_copy(c) ? i : i % period;
            return pattern.exact ? static_cast<double>(mix(seed, at) % 65536) : uniform(seed, at);
        });
        arrays.push_back(std::move(in));
        if (is_copy(c)) return;
        // x + 1 + 1 ... stays exact; the other chain converges to b / (1 - a).
        HostArray coefficients(c.type, 2);
        coefficients.as<T>()[0] = static_cast<T>(pattern.exact ? 1.0 : 0.99951171875);
        coefficients.as<T>()[1] = static_cast<T>(pattern.exact ? 1.0 : 0.000244140625);
        arrays.push_back(std::move(coefficients));
    });
    return arrays;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    if (is_copy(c)) return one_answer(in[0].copy());
    return visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        const std::span<const T> start = in[0].as<T>(), coefficients = in[1].as<T>();
        std::vector<T> ends(std::min<std::uint64_t>(period, start.size()));
        const std::uint64_t steps = steps_of(c);  // looked up by name
        for_chunks(
            ends.size(),
            [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
                for (std::uint64_t i = begin; i < end; ++i) {
                    T x = start[i];
                    for (std::uint64_t s = 0; s < steps; ++s) {
                        x = static_cast<T>(std::fma(x, coefficients[0], coefficients[1]));
                    }
                    ends[i] = x;
                }
            },
            64);
        HostArray out(c.type, start.size());
        fill_by_index(out.as<T>(), [&](std::uint64_t i) { return ends[i % period]; });
        return one_answer(std::move(out));
    });
}

Work work(const Case& c) {
    if (c.variant->name == "launch") return {};  // empty: its time is the result
    if (is_copy(c)) return moving(c, 2 * length(c));
    const double moved = 2 * static_cast<double>(chain_count(c));
    return moving(c, moved, moved * static_cast<double>(steps_of(c)));
}

}  // namespace

Suite suite() {
    return {
        .name = "ceiling",
        .question = "What can this device do at most?",
        .source = "ceiling.cl",
        .dimensions = {"n"},
        .types = {ElementType::f32, ElementType::f64},
        .constants =
            {
                {"GROUP", 256, 1, 1024, "work-items of a group"},
                {"CHAINS", 8, 1, 32, "independent chains of a work-item", {}, true},
                {"UNROLL", 16, 1, 64, "steps written out", {}, true},
                {"ROUNDS", 64, 1, 65536, "times UNROLL steps", {}, true},
            },
        .variants =
            {
                {.name = "copy",
                 .description =
                     "the runtime's own copy from buffer to buffer: what memory can move",
                 .plan = copy,
                 .shapes = powers_of_two({20, 22, 24, 26, 28}),
                 .problem = "copy"},
                {.name = "fma",
                 .description =
                     "chains of fused multiply-adds that wait for nothing: what it can compute",
                 .plan = fma_chains,
                 .shapes = powers_of_two({12, 14, 16, 18, 20, 22}),
                 .problem = "fma"},
                {.name = "launch",
                 .description = "one group that copies one element: what a launch costs",
                 .plan = launch,
                 .shapes = {{{1}}},
                 .problem = "copy"},
            },
        .shapes = {{{1u << 20}}},
        .check_shapes = {{{1}}, {{1000}}},
        .is_ceiling = true,
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::exact(); },
        .work = work,
    };
}

}  // namespace parallax::ceiling_suite
