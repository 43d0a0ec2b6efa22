// A matrix times a vector, from one row per work-item to a tree of warps. After listings 2 to 7 of
// NVIDIA's "OpenCL Programming for the CUDA Architecture" (2009), and one step further.
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/library_variant.hpp"
#include "suites/parts.hpp"

namespace parallax::matvec_suite {
namespace {

std::uint64_t width(const Case& c) {
    return c.shape[0];
}
std::uint64_t height(const Case& c) {
    return c.shape[1];
}
Plan launch(const Case& c, const char* kernel, std::uint64_t groups) {
    Plan plan;
    plan.buffers = {{"matrix", Role::input, c.type, width(c) * height(c)},
                    {"x", Role::input, c.type, width(c)},
                    {"y", Role::output, c.type, height(c)}};
    plan.steps.push_back(
        Launch{kernel,
               in_a_row(groups, count_of(c, "GROUP")),
               {BufferIndex{0}, BufferIndex{1}, BufferIndex{2}, width(c), height(c)}});
    return plan;
}

/// Launches of GROUPS work-groups, without empty ones.
Plan at_most(const Case& c, const char* kernel, std::uint64_t rows_of_a_group) {
    const std::uint64_t useful = divide_up(height(c), rows_of_a_group);
    return launch(c, kernel, std::min(count_of(c, "GROUPS"), useful));
}

double tree(std::uint64_t leaves) {
    return std::ceil(std::log2(static_cast<double>(leaves)));
}

/// Roundings of a product within a sum that `items` share: its own, and one for each addition to a
/// non-empty sum.
double private_sum(std::uint64_t terms, std::uint64_t items) {
    return static_cast<double>(divide_up(terms, items));
}

Variant one_row_an_item(const char* name, const char* description, Plan (*plan)(const Case&)) {
    return {.name = name, .description = description, .plan = plan, .depth = [](const Case& c) {
                return private_sum(width(c), 1);
            }};
}

/// One row per work-group at a time; `across` counts the additions that combine work-items into the
/// row.
Variant one_row_a_group(const char* name, const char* description, double (*across)(const Case&)) {
    return {
        .name = name,
        .description = description,
        .plan = [=](const Case& c) { return at_most(c, name, 1); },
        .depth =
            [=](const Case& c) { return private_sum(width(c), count_of(c, "GROUP")) + across(c); }};
}

Plan modern(const Case& c) {
    const std::uint64_t teams = count_of(c, "GROUP") / count_of(c, "TEAM");
    return launch(c, "modern", divide_up(height(c), teams * count_of(c, "ROWS")));
}

double modern_depth(const Case& c) {
    const std::uint64_t team = count_of(c, "TEAM");
    const double loads =
        width(c) % 4 == 0 ? private_sum(width(c) / 4, team) + 2 : private_sum(width(c), team);
    return loads + tree(team);
}

std::vector<Variant> variants() {
    const auto group_tree = [](const Case& c) { return tree(count_of(c, "GROUP")); };
    std::vector<Variant> list{
        one_row_an_item("row_per_item",
                        "neighbouring items read words a row apart: each load is one of its own",
                        [](const Case& c) {
                            return launch(c, "row_per_item",
                                          divide_up(height(c), count_of(c, "GROUP")));
                        }),
        one_row_an_item(
            "rows_strided", "several rows an item: the launch no longer depends on the height",
            [](const Case& c) { return at_most(c, "rows_strided", count_of(c, "GROUP")); }),
        one_row_a_group("group_serial",
                        "a row a group: loads coalesce; one item adds what the others found",
                        [](const Case& c) {
                            const std::uint64_t parts = std::min(width(c), count_of(c, "GROUP"));
                            return static_cast<double>(parts - 1);
                        }),
        one_row_a_group("tree_interleaved",
                        "a tree whose active items are 2, 4, 8, ... apart: banks collide",
                        group_tree),
        one_row_a_group("tree_sequential",
                        "a tree whose active items are neighbours: no bank is hit twice",
                        group_tree),
        one_row_a_group("warp", "trees of warps, which wait for themselves: one barrier a row",
                        [](const Case& c) { return 5 + tree(count_of(c, "GROUP") / 32); }),
        {.name = "modern",
         .description = "a small team for several rows: x is loaded once for all of them, four "
                        "elements a load",
         .constants = {{"GROUP", 256}},
         .plan = modern,
         .depth = modern_depth},
        {.name = "team_per_row",
         .description = "a larger team for one row: many small groups; x comes from the cache",
         .constants = {{"GROUP", 128}, {"TEAM", 64}, {"ROWS", 1}},
         .plan = modern,
         .depth = modern_depth},
        library_variant([](const Case& c) {
            Plan one = launch(c, "matvec", 1);
            std::get<Launch>(one.steps.front().what).geometry = {};
            return one;
        }),
    };
    // A library may add a row in any order.
    list.back().depth = [](const Case& c) { return private_sum(width(c), 1); };
    // CLBlast reads y although it multiplies it by 0, and its old content may be a NaN.
    list.back().natives.erase(list.back().natives.begin());
    // Few work-items, so that each has several rows of the largest shape.
    std::ranges::find(list, "rows_strided", &Variant::name)->constants = {{"GROUPS", 60}};
    std::ranges::find(list, "warp", &Variant::name)->natives = {
        {.backend = "opencl", .source = "matvec.opencl.cl", .feature = "ptx"},
        {.backend = "cuda", .source = "matvec.cuda.cu"}};
    return list;
}

/// The inputs of each element.
struct Elements {
    std::uint64_t width;
    double reach;  ///< of integers whose products do not overflow in the sum of a row
    bool are_exact, are_denormal, cancel;

    Elements(const Case& c, const InputPattern& pattern)
        : width(parallax::matvec_suite::width(c)),
          reach(std::max(3.0, std::floor(std::sqrt(0x1p31 / static_cast<double>(width))) - 1)),
          are_exact(pattern.exact),
          are_denormal(pattern.name == "denormals"),
          cancel(pattern.name == "cancellation") {}
};

template <class T>
T matrix_element(const Elements& of, std::uint64_t seed, std::uint64_t i) {
    if (of.are_exact) return static_cast<T>(small_integer(seed, i));
    const double u = uniform(seed, i);
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(u * of.reach);
    } else {
        if (of.are_denormal) {
            return static_cast<T>(u * static_cast<double>(std::numeric_limits<T>::min()));
        }
        if (of.cancel) {
            // Large terms that cancel in pairs, and small ones that are the result.
            const std::uint64_t column = i % of.width;
            const double huge = 0x1p40 * uniform(seed, i - column % 2);
            return static_cast<T>(column % 2 ? -huge + u : huge);
        }
        return static_cast<T>(u);
    }
}

template <class T>
T vector_element(const Elements& of, std::uint64_t seed, std::uint64_t i) {
    // Integer factors preserve denormals; signs preserve pairs that cancel.
    if (of.are_exact || of.are_denormal) return static_cast<T>(small_integer(seed, i));
    if (of.cancel) return mix(seed, i / 2) % 2 ? T{1} : T{-1};
    const double u = uniform(seed, i);
    if constexpr (std::is_integral_v<T>) return static_cast<T>(u * of.reach);
    return static_cast<T>(u);
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    std::vector<HostArray> arrays;
    arrays.emplace_back(c.type, width(c) * height(c));
    arrays.emplace_back(c.type, width(c));
    const std::uint64_t own = seed + 0x9e37;
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        using Limits = std::numeric_limits<T>;
        const std::span<T> matrix = arrays[0].as<T>(), x = arrays[1].as<T>();
        const Elements of(c, pattern);
        fill_by_index(matrix, [=](std::uint64_t i) { return matrix_element<T>(of, seed, i); });
        fill_by_index(x, [=](std::uint64_t i) { return vector_element<T>(of, own, i); });
        if constexpr (Limits::has_infinity) {
            const std::uint64_t at = mix(seed, matrix.size()) % matrix.size();
            if (pattern.name == "one nan") matrix[at] = Limits::quiet_NaN();
            if (pattern.name == "infinity") x[at % width(c)] = Limits::infinity();
            if (pattern.name == "both infinities") {
                const std::uint64_t start = at - at % width(c);
                matrix[start] = Limits::infinity();
                matrix[start + width(c) - 1] = -Limits::infinity();
            }
        }
    });
    return arrays;
}

/// The products of rows in a wider type, and the sums of magnitudes.
template <class Wide, class T>
std::pair<std::vector<Wide>, std::vector<double>> product(std::span<const T> matrix,
                                                          std::span<const T> x,
                                                          std::uint64_t rows) {
    std::pair<std::vector<Wide>, std::vector<double>> result{std::vector<Wide>(rows),
                                                             std::vector<double>(rows)};
    for_chunks(
        rows,
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            for (std::uint64_t row = begin; row < end; ++row) {
                Wide sum = 0;
                double magnitude = 0;
                for (std::uint64_t i = 0; i < x.size(); ++i) {
                    const Wide term =
                        static_cast<Wide>(matrix[row * x.size() + i]) * static_cast<Wide>(x[i]);
                    sum += term;
                    magnitude += std::fabs(static_cast<double>(term));
                }
                result.first[row] = sum;
                result.second[row] = magnitude;
            }
        },
        divide_up(1u << 16, x.size()));
    return result;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    return visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        return answer_of_sums<T>(c.type, [&](auto wide) {
            return product<decltype(wide), T>(in[0].as<T>(), in[1].as<T>(), height(c));
        });
    });
}

Tolerance tolerance(const Case& c) {
    if (!is_floating(c.type)) return Tolerance::exact();
    return Tolerance::rounding(c.variant->depth(c));
}

Work work(const Case& c) {
    const double elements = static_cast<double>(width(c)) * static_cast<double>(height(c));
    const double moved = elements + static_cast<double>(width(c) + height(c));
    return moving(c, moved, 2 * elements);
}

std::string refuse(const Case& c) {
    if (c.variant->name == "warp" && c["GROUP"] % 32 != 0) {
        return "GROUP must be a multiple of 32, so that all warps are full.";
    }
    if (c.variant->name == "modern" || c.variant->name == "team_per_row") {
        if (c["GROUP"] % c["TEAM"] != 0) return "GROUP must be a multiple of TEAM.";
        if (count_of(c, "GROUP") * count_of(c, "ROWS") * size_of(c.type) > 32768) {
            return "GROUP * ROWS elements must fit in 32 KiB of local memory: choose fewer.";
        }
    }
    return refuse_alignment(c);
}

}  // namespace

Suite suite() {
    return {
        .name = "matvec",
        .question = "Who shares a row of a matrix: an item, a group, a warp, a small team?",
        .source = "matvec.cl",
        .dimensions = {"width", "height"},
        .types = {ElementType::f32, ElementType::f64, ElementType::i32},
        .constants =
            {
                searched({"GROUP", 512, 1, 1024, "work-items of a group; published: 512"},
                         group_sizes),
                searched(argument({"GROUPS", 1056, 1, 1 << 20,
                                   "groups at most (rows_strided to warp): several for each "
                                   "multiprocessor; published: 60"}),
                         {60, 264, 528, 1056, 2112, 4224}),
                searched({"TEAM", 32, 1, 1024, "work-items that share rows (modern, team_per_row)"},
                         {8, 16, 32, 64, 128, 256}),
                searched(
                    {"ROWS", 4, 1, 16, "rows that a team takes at once (modern, team_per_row)"},
                    {1, 2, 4, 8}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants = variants(),
        .shapes = {{{1100, 1000}}, {{1100, 10000}}, {{1100, 100000}}},
        .check_shapes = {{{1, 1}},
                         {{1, 33}},
                         {{5, 1}},
                         {{511, 3}},
                         {{512, 2}},
                         {{513, 5}},
                         {{3, 1061}},
                         {{1028, 37}},
                         {{1031, 67}}},
        .edge_cases = {{"denormals", false, true},
                       {"cancellation", false, true},
                       {"one nan", false, true},
                       {"infinity", false, true},
                       {"both infinities", false, true}},
        .opt_in = {"group_serial", "warp", "rows_strided", "tree_interleaved", "modern", "library"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = tolerance,
        .work = work,
        .refuse = refuse,
    };
}

}  // namespace parallax::matvec_suite
