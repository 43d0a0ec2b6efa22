// One value from many: sum, minimum, maximum. After Fig. 4 to 6 of NVIDIA's "OpenCL Programming for
// the CUDA Architecture" (2009), and two steps further.
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/library_variant.hpp"
#include "suites/parts.hpp"

namespace parallax::reduction_suite {
namespace {

enum Operation : std::int64_t { sum, minimum, maximum };

Operation operation_of(const Case& c) {
    return static_cast<Operation>(c["OP"]);
}

/// Number of elements that one work-group reduces to one.
using PerGroup = std::uint64_t (*)(const Case&);

std::uint64_t group(const Case& c) {
    return count_of(c, "GROUP");
}
std::uint64_t two_groups(const Case& c) {
    return 2 * group(c);
}
std::uint64_t group_of_items(const Case& c) {
    return group(c) * count_of(c, "ITEMS");
}

/// The neutral element of the operation.
template <class T>
T neutral(Operation operation) {
    using Limits = std::numeric_limits<T>;
    if (operation == sum) return 0;
    const bool smallest = operation == maximum;
    if constexpr (Limits::has_infinity) return smallest ? -Limits::infinity() : Limits::infinity();
    return smallest ? Limits::lowest() : Limits::max();
}

Plan begin(const Case& c) {
    Plan plan = in_to_out(c, c.shape[0], 1);
    return plan;
}

/// Launches of `kernel` on fewer and fewer partial results, until one is left.
Plan levels(const Case& c, const char* kernel, PerGroup per_group) {
    Plan plan = begin(c);
    const Scalar leave = visit_type(
        c.type, [&](auto zero) -> Scalar { return neutral<decltype(zero)>(operation_of(c)); });
    std::uint64_t count = c.shape[0];
    std::size_t source = 0;
    while (true) {
        const std::uint64_t groups = divide_up(count, per_group(c));
        std::size_t target = 1;
        if (groups > 1) {
            target = plan.buffers.size();
            plan.buffers.push_back({"partial", Role::scratch, c.type, groups});
        }
        plan.steps.push_back(Launch{kernel,
                                    in_a_row(groups, group(c)),
                                    {BufferIndex{source}, BufferIndex{target}, count, leave}});
        if (groups == 1) return plan;
        count = groups;
        source = target;
    }
}

/// Successive additions inside one work-group, in addition to the tree's.
double depth(const Case& c, PerGroup per_group, double before_the_tree) {
    double levels = 0;
    std::uint64_t count = c.shape[0];
    do {
        count = divide_up(count, per_group(c));
        ++levels;
    } while (count > 1);
    return levels * (before_the_tree + std::ceil(std::log2(static_cast<double>(group(c)))));
}

double items(const Case& c) {
    return static_cast<double>(c["ITEMS"]);
}

/// The element that determines a minimum or maximum, where a tail or an edge could be lost; n:
/// none.
std::uint64_t place_of_extreme(const InputPattern& pattern, std::uint64_t n) {
    if (pattern.name == "extreme first") return 0;
    if (pattern.name == "extreme last") return n - 1;
    return pattern.name == "extreme inside" ? n / 2 : n;
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const std::uint64_t n = c.shape[0];
    const Operation operation = operation_of(c);
    HostArray in(c.type, n);
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        using Limits = std::numeric_limits<T>;
        // Integer sums must not overflow, in any order.
        const double reach = operation == sum
                                 ? std::max(3.0, std::floor(0x1p31 / static_cast<double>(n)) - 1)
                                 : 0x1p31 - 1;
        const std::span<T> data = in.as<T>();
        const std::uint64_t extreme_at = place_of_extreme(pattern, n);
        const bool is_exact = pattern.exact, is_beyond_zero = pattern.name == "beyond zero";
        const bool is_denormal = pattern.name == "denormals",
                   cancels = pattern.name == "cancellation";
        fill_by_index(data, [=](std::uint64_t i) -> T {
            if (is_exact) {
                const auto value = static_cast<T>(small_integer(seed, i));
                // Where 0 would win, a kernel that starts from 0 instead of `neutral` fails.
                if (is_beyond_zero) {
                    const T size = value < 0 ? -value : value;
                    return operation == maximum ? -size : size;
                }
                const T extreme = operation == minimum ? T{-1000} : T{1000};
                return i == extreme_at ? extreme : value;
            }
            const double u = uniform(seed, i);
            if constexpr (std::is_integral_v<T>) {
                return static_cast<T>(u * reach);
            } else {
                if (is_denormal) return static_cast<T>(u * static_cast<double>(Limits::min()));
                if (cancels) {
                    // Large terms that cancel in pairs, and small ones that are the result.
                    const double huge = 0x1p40 * uniform(seed, i / 2 * 2);
                    return static_cast<T>(i % 2 ? -huge + u : huge);
                }
                return static_cast<T>(u);
            }
        });
        if constexpr (Limits::has_infinity) {
            if (pattern.name == "one nan") data[mix(seed, n) % n] = Limits::quiet_NaN();
            if (pattern.name == "all nan") std::ranges::fill(data, Limits::quiet_NaN());
            if (pattern.name == "infinity") data[mix(seed, n) % n] = Limits::infinity();
            if (pattern.name == "both infinities") {
                data[0] = Limits::infinity();
                data[n - 1] = -Limits::infinity();
            }
        }
    });
    return one_array(std::move(in));
}

/// Minimum or maximum that ignores NaN, as the kernels do; neutral if there is nothing else.
template <class T>
T extreme_of(std::span<const T> data, Operation operation) {
    std::vector<T> partial(chunk_count(data.size()), neutral<T>(operation));
    for_chunks(data.size(), [&](std::uint64_t begin, std::uint64_t end, std::size_t chunk) {
        T best = neutral<T>(operation);
        for (std::uint64_t i = begin; i < end; ++i) {
            if (operation == minimum ? data[i] < best : data[i] > best) best = data[i];
        }
        partial[chunk] = best;
    });
    return operation == minimum ? std::ranges::min(partial) : std::ranges::max(partial);
}

/// The sum in a wider type, and the sum of magnitudes.
template <class Wide, class T>
std::pair<Wide, double> sum_of(std::span<const T> data) {
    std::vector<std::pair<Wide, double>> partial(chunk_count(data.size()));
    for_chunks(data.size(), [&](std::uint64_t begin, std::uint64_t end, std::size_t chunk) {
        Wide total = 0;
        double magnitude = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
            total += static_cast<Wide>(data[i]);
            magnitude += std::fabs(static_cast<double>(data[i]));
        }
        partial[chunk] = {total, magnitude};
    });
    std::pair<Wide, double> all{};
    for (const auto& [total, magnitude] : partial) {
        all.first += total;
        all.second += magnitude;
    }
    return all;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    return visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        const std::span<const T> data = in[0].as<T>();
        if (operation_of(c) == sum) {
            return answer_of_sums<T>(c.type, [&](auto wide) {
                const auto [total, magnitude] = sum_of<decltype(wide)>(data);
                return std::pair{std::vector{total}, std::vector{magnitude}};
            });
        }
        HostArray value(c.type, 1);
        value.as<T>()[0] = extreme_of(data, operation_of(c));
        return one_answer(std::move(value));
    });
}

Tolerance tolerance(const Case& c) {
    if (operation_of(c) != sum || !is_floating(c.type)) return Tolerance::exact();
    return Tolerance::rounding(c.variant->depth(c));
}

std::string refuse(const Case& c) {
    if (c["ITEMS"] % 4 != 0) return "ITEMS must be a multiple of 4.";
    // A work-group of one work-item would not reduce the number of partial results.
    if (c["GROUP"] < 2) return "GROUP must be at least 2.";
    if (c.variant->name == "warp" && c["GROUP"] % 32 != 0) {
        return "GROUP must be a multiple of 32, so that all warps are full.";
    }
    return refuse_alignment(c);
}

Variant variant(const char* name, const char* description, PerGroup per_group,
                double (*before_the_tree)(const Case&)) {
    return {.name = name,
            .description = description,
            .plan = [=](const Case& c) { return levels(c, name, per_group); },
            .depth = [=](const Case& c) { return depth(c, per_group, before_the_tree(c)); }};
}

std::vector<Variant> variants() {
    std::vector<Variant> list{
        variant("interleaved", "a tree whose active items are 2, 4, 8, ... apart: banks collide",
                group, [](const Case&) { return 0.0; }),
        variant("sequential", "a tree whose active items are neighbours: no bank is hit twice",
                group, [](const Case&) { return 0.0; }),
        variant("first_add", "each item adds two values as it loads them: no item starts idle",
                two_groups, [](const Case&) { return 1.0; }),
        variant("items", "many values an item: the tree becomes a small part of the work",
                group_of_items, [](const Case& c) { return items(c); }),
        variant("vector", "four values a load: fewer, wider memory transactions", group_of_items,
                [](const Case& c) { return items(c) / 4 + 3; }),
        variant("builtin", "OpenCL's work_group_reduce_*: what the driver makes of it",
                group_of_items,
                [](const Case& c) { return items(c) + static_cast<double>(group(c)); }),
        variant("warp",
                "the sequential tree; its last five steps wait for a warp instead of the group",
                group, [](const Case&) { return 0.0; }),
    };
    list.back().natives = {
        {.backend = "opencl", .source = "reduction_warp.opencl.cl", .feature = "ptx"},
        {.backend = "cuda", .source = "reduction.cuda.cu"}};
    const auto named = [&](std::string_view name) -> Variant& {
        return *std::ranges::find(list, name, &Variant::name);
    };
    // On an H100 up to 2 % faster than 64 from 2^24 to 2^28.
    named("vector").constants = {{"ITEMS", 32}};
    Variant& builtin = named("builtin");
    builtin.natives = {{.backend = "opencl",
                        .source = "reduction.opencl.cl",
                        .feature = "work_group_functions",
                        .options = {"-cl-std=CL3.0"}}};
    Variant zero_copy =
        variant("zero_copy", "vector, its input in the host's memory: read over the link",
                group_of_items, [](const Case& c) { return items(c) / 4 + 3; });
    zero_copy.constants = named("vector").constants;
    zero_copy.plan = [](const Case& c) {
        Plan plan = levels(c, "vector", group_of_items);
        plan.buffers.front().placement = Placement::mapped;
        return plan;
    };
    list.push_back(std::move(zero_copy));
    list.push_back(cub_variant(
        [](const Case& c) {
            const Operation operation = operation_of(c);
            return operation == sum ? "sum" : operation == minimum ? "least" : "most";
        },
        begin));
    return list;
}

}  // namespace

Suite suite() {
    return {
        .name = "reduction",
        .question = "What do bank conflicts, idle items and narrow loads cost a tree sum?",
        .source = "reduction.cl",
        .dimensions = {"n"},
        .types = {ElementType::f32, ElementType::f64, ElementType::i32},
        .constants =
            {
                {"OP", sum, 0, 2, "the operation", {"sum", "min", "max"}, true},
                searched({"GROUP", 256, 1, 1024, "work-items of a group"}, group_sizes),
                searched(
                    {"ITEMS", 64, 4, 4096, "values a work-item takes (items, vector, builtin)"},
                    {4, 8, 16, 32, 64, 128, 256}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants = variants(),
        .shapes = powers_of_two({20, 22, 24, 26, 28}),
        .check_shapes =
            // 65553: whole work-groups of GROUP * ITEMS, and fewer than ITEMS more.
        {{{1}}, {{2}}, {{33}}, {{255}}, {{256}}, {{257}}, {{515}}, {{4099}}, {{65553}}, {{70001}}},
        .edge_cases = {{"beyond zero", true},
                       {"extreme first", true},
                       {"extreme last", true},
                       {"extreme inside", true},
                       {"denormals", false, true},
                       {"cancellation", false, true},
                       {"one nan", false, true},
                       {"all nan", false, true},
                       {"infinity", false, true},
                       {"both infinities", false, true}},
        .opt_in = {"zero_copy", "interleaved", "first_add", "builtin", "warp", "library"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = tolerance,
        .work = [](const Case& c) { return moving(c, length(c), length(c) - 1); },
        .refuse = refuse,
    };
}

}  // namespace parallax::reduction_suite
