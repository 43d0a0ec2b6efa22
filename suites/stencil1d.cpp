// The sum over a radius around every element, from global and from local memory. After the 1D
// stencil in introductions to shared memory in CUDA and OpenCL.
#include <algorithm>
#include <cmath>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"

namespace parallax::stencil1d_suite {
namespace {

Plan plan(const Case& c, const char* kernel, std::uint64_t outputs_an_item) {
    const auto group = count_of(c, "GROUP");
    Plan plan = in_to_out(c);
    plan.steps.push_back(Launch{kernel,
                                in_a_row(divide_up(c.shape[0], group * outputs_an_item), group),
                                {BufferIndex{0}, BufferIndex{1}, c.shape[0]}});
    return plan;
}

double terms(const Case& c) {
    return 2.0 * static_cast<double>(c["RADIUS"]) + 1;
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const std::uint64_t n = c.shape[0];
    std::vector<HostArray> arrays;
    arrays.emplace_back(c.type, n);
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        using Limits = std::numeric_limits<T>;
        const std::span<T> data = arrays[0].as<T>();
        const double reach = std::floor(0x1p31 / terms(c)) - 1;
        const auto exact_reach = static_cast<std::uint64_t>(0x1p24 / terms(c));
        const bool is_exact = pattern.exact, is_denormal = pattern.name == "denormals";
        const bool cancels = pattern.name == "cancellation";
        fill_by_index(data, [=](std::uint64_t i) -> T {
            // As large as exact float sums allow, so that no two neighbourhoods are equal.
            if (is_exact) return static_cast<T>(1 + mix(seed, i) % exact_reach);
            const double u = uniform(seed, i);
            if constexpr (std::is_integral_v<T>) {
                return static_cast<T>(u * reach);
            } else {
                if (is_denormal) return static_cast<T>(u * static_cast<double>(Limits::min()));
                if (cancels) {
                    return static_cast<T>((i % 2 ? -1 : 1) * (0x1p30 + 0x1p10 * u));
                }
                return static_cast<T>(u);
            }
        });
        if constexpr (Limits::has_infinity) {
            if (pattern.name == "one nan") data[mix(seed, n) % n] = Limits::quiet_NaN();
            if (pattern.name == "infinities") {
                data[0] = Limits::infinity();
                data[n - 1] = -Limits::infinity();
            }
        }
    });
    return arrays;
}

/// Adds neighbour after neighbour to a block of outputs, so that the innermost loop over outputs is
/// vectorised. Each output still gets its terms in the order of the input.
template <class Wide, class T>
Expected sums(std::span<const T> data, std::uint64_t radius) {
    constexpr std::uint64_t block = 1024;
    const std::uint64_t n = data.size();
    std::vector<Wide> values(n);
    std::vector<double> magnitudes(n);
    for_chunks(n, [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
        for (std::uint64_t from = begin; from < end; from += block) {
            const std::uint64_t to = std::min(from + block, end);
            for (std::uint64_t step = 0; step <= 2 * radius; ++step) {
                // The neighbour of output i is i + step - radius; those outside do not count.
                const std::uint64_t first = std::max(from, radius > step ? radius - step : 0);
                const std::uint64_t last = std::min(to, n + radius > step ? n + radius - step : 0);
                for (std::uint64_t i = first; i < last; ++i) {
                    const T neighbour = data[i + step - radius];
                    values[i] += static_cast<Wide>(neighbour);
                    magnitudes[i] += std::fabs(static_cast<double>(neighbour));
                }
            }
        }
    });
    return {std::move(values), std::move(magnitudes)};
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const auto radius = count_of(c, "RADIUS");
    std::vector<Expected> expected;
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
        expected.push_back(sums<Wide>(in[0].as<T>(), radius));
    });
    return expected;
}

}  // namespace

Suite suite() {
    return {
        .name = "stencil1d",
        .question = "When many items need the same neighbours, what does local memory save?",
        .source = "stencil1d.cl",
        .dimensions = {"n"},
        .types = {ElementType::f32, ElementType::f64, ElementType::i32},
        .constants =
            {
                {"RADIUS", 3, 0, 256, "neighbours on each side", {}, true},
                searched({"GROUP", 256, 1, 1024, "work-items of a group"}, group_sizes),
                searched({"ITEMS", 4, 1, 64, "outputs of a work-item (several)"}, {1, 2, 4, 8, 16}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                {.name = "global",
                 .description =
                     "every item reads all of its neighbours from global memory, through the cache",
                 .plan = [](const Case& c) { return plan(c, "from_global", 1); }},
                {.name = "staged",
                 .description = "a group reads its elements and a halo once, into local memory",
                 .plan = [](const Case& c) { return plan(c, "staged", 1); }},
                {.name = "several",
                 .description =
                     "several outputs an item: the halo is a smaller part of what is read",
                 .plan = [](const Case& c) { return plan(c, "several", count_of(c, "ITEMS")); }},
                {.name = "wide",
                 .description =
                     "four outputs an item from wide loads: neighbours come from the cache",
                 .plan = [](const Case& c) { return plan(c, "wide", 4); }},
            },
        .shapes = powers_of_two({20, 22, 24, 25, 26}),
        .check_shapes = {{{1}}, {{2}}, {{6}}, {{7}}, {{255}}, {{257}}, {{1027}}, {{5003}}},
        .edge_cases = {{"denormals", false, true},
                       {"cancellation", false, true},
                       {"one nan", false, true},
                       {"infinities", false, true}},
        .opt_in = {"several"},
        .inputs = inputs,
        .reference = reference,
        .tolerance =
            [](const Case& c) {
                return is_floating(c.type) ? Tolerance::rounding(terms(c)) : Tolerance::exact();
            },
        .work = [](const Case& c) { return moving(c, 2 * length(c), length(c) * (terms(c) - 1)); },
        .refuse = refuse_alignment,
    };
}

}  // namespace parallax::stencil1d_suite
