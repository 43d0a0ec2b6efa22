// The cost of divergent branches within a warp.
#include <cmath>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"

namespace parallax::divergence_suite {
namespace {

constexpr std::uint64_t most_paths = 32;
// Values repeat, so that the reference need not compute every chain: a prime, so that all values
// take all paths.
constexpr std::uint64_t period = 251;

Plan plan(const Case& c) {
    const auto group = count_of(c, "GROUP");
    Plan plan;
    plan.buffers = {{"in", Role::input, c.type, c.shape[0]},
                    {"coefficients", Role::input, c.type, 2 * most_paths},
                    {"out", Role::output, c.type, c.shape[0]}};
    plan.steps.push_back(Launch{"chains",
                                covering(c.shape[0], group),
                                {BufferIndex{0}, BufferIndex{1}, BufferIndex{2}, c.shape[0],
                                 static_cast<std::uint32_t>(c["PATHS"])}});
    return plan;
}

/// Integers: each path adds its own number. Otherwise each path converges to its own point.
std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    std::vector<HostArray> arrays;
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        HostArray in(c.type, c.shape[0]), coefficients(c.type, 2 * most_paths);
        fill_by_index(in.as<T>(), [&](std::uint64_t i) {
            return pattern.exact ? static_cast<double>(mix(seed, i % period) % 4096)
                                 : uniform(seed, i % period);
        });
        for (std::uint64_t p = 0; p < most_paths; ++p) {
            const auto own = static_cast<double>(p + 1);
            coefficients.as<T>()[2 * p] =
                static_cast<T>(pattern.exact ? 1 : 1 - own * 0x1p-16 - 0x1p-12);
            coefficients.as<T>()[2 * p + 1] = static_cast<T>(pattern.exact ? own : own * 0x1p-10);
        }
        arrays.push_back(std::move(in));
        arrays.push_back(std::move(coefficients));
    });
    return arrays;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const auto paths = count_of(c, "PATHS");
    const auto rounds = count_of(c, "ROUNDS");
    // The distance of work-items that take different paths.
    const std::uint64_t apart = c["MODE"] == 0 ? 1 : count_of(c, "WARP");
    return visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        const std::span<const T> start = in[0].as<T>(), coefficients = in[1].as<T>();
        const std::uint64_t n = start.size(), values = std::min(n, period);
        std::vector<T> ends(paths * values);
        for_chunks(
            ends.size(),
            [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
                for (std::uint64_t k = begin; k < end; ++k) {
                    const std::uint64_t path = k / values;
                    T x = start[k % values];
                    for (std::uint64_t r = 0; r < rounds; ++r) {
                        x = static_cast<T>(
                            std::fma(x, coefficients[2 * path], coefficients[2 * path + 1]));
                    }
                    ends[k] = x;
                }
            },
            64);
        HostArray out(c.type, n);
        fill_by_index(out.as<T>(), [&](std::uint64_t i) {
            return ends[i / apart % paths * values + i % period];
        });
        return one_answer(std::move(out));
    });
}

Variant variant(const char* name, std::int64_t mode, const char* description) {
    return {.name = name,
            .description = description,
            .constants = {{"MODE", mode}},
            .plan = plan,
            .sweep = {"PATHS", {1, 2, 4, 8, 16, 32}, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}}};
}

}  // namespace

Suite suite() {
    return {
        .name = "divergence",
        .question = "What does it cost when the items of a warp take different paths?",
        .source = "divergence.cl",
        .dimensions = {"n"},
        .types = {ElementType::f32, ElementType::f64},
        .constants =
            {
                {"MODE", 0, 0, 1, "who differs: items (0) or warps (1)", {}, true},
                argument({"PATHS",
                          2,
                          1,
                          static_cast<std::int64_t>(most_paths),
                          "paths that there are",
                          {},
                          true}),
                {"GROUP", 256, 32, 1024, "work-items of a group"},
                {"ROUNDS", 256, 1, 65536, "fused multiply-adds of a path", {}, true},
                {"WARP", 32, 1, 64, "items that go together (uniform)", {}, true},
            },
        .variants =
            {
                variant("lanes", 0,
                        "neighbours take different paths: a warp walks them one after the other"),
                variant("uniform", 1,
                        "as many paths, but all items of a warp take the same: a warp walks one"),
            },
        .shapes = powers_of_two({10, 12, 14, 16, 18, 20, 22, 24}),
        .check_shapes = {{{1}}, {{31}}, {{33}}, {{257}}, {{4099}}},
        .opt_in = {"uniform"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        // The work of a work-item's own path, without the other paths.
        .work =
            [](const Case& c) {
                return moving(c, 2 * length(c), 2 * length(c) * times(c, "ROUNDS"));
            },
        .refuse = [](const Case& c) -> std::string {
            return c["GROUP"] % c["WARP"] == 0 ? "" : "GROUP must be a multiple of WARP.";
        },
    };
}

}  // namespace parallax::divergence_suite
