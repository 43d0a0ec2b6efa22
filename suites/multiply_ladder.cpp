// A product of column-major matrices, with one more reuse of values in every step. After versions 1
// to 4 of the multiplication in V. Kindratenko's "Introduction to GPU Programming", part IV (2010).
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"
#include "suites/product.hpp"

namespace parallax::multiply_ladder_suite {
namespace {

/// a is n x m, b is n x p, c is p x m.
struct Sizes {
    std::uint64_t n, m, p;
};

Sizes sizes_of(const Case& c) {
    return {c.shape[0], c.shape[1], c.shape[2]};
}

/// As a product of transposed row-major matrices: that of c by that of b.
ProductSizes transposed(const Case& c) {
    const auto [n, m, p] = sizes_of(c);
    return {.rows = m, .columns = n, .depth = p};
}

/// `rows` and `columns`: of a, per work-item. With TRANSFERS the matrices come from ordinary host
/// memory, and the product goes back there: the document's overall time.
Plan plan(const Case& c, const char* kernel, std::uint64_t rows, std::uint64_t columns) {
    const auto [n, m, p] = sizes_of(c);
    const auto group = count_of(c, "GROUP");
    const Geometry geometry{{divide_up(n, group * rows), divide_up(m, columns), 1}, {group, 1, 1}};
    Plan plan;
    if (c["TRANSFERS"] == 0) {
        plan.buffers = {{"b", Role::input, c.type, n * p},
                        {"c", Role::input, c.type, p * m},
                        {"a", Role::output, c.type, n * m}};
        plan.steps.push_back(
            Launch{kernel, geometry, {BufferIndex{0}, BufferIndex{1}, BufferIndex{2}, n, m, p}});
        return plan;
    }
    plan.buffers = {{"b", Role::input, c.type, n * p, Placement::pageable},
                    {"c", Role::input, c.type, p * m, Placement::pageable},
                    {"a", Role::output, c.type, n * m, Placement::pageable},
                    {"device's b", Role::scratch, c.type, n * p},
                    {"device's c", Role::scratch, c.type, p * m},
                    {"device's a", Role::scratch, c.type, n * m}};
    plan.steps.emplace_back(CopyBuffer{{0}, {3}});
    plan.steps.emplace_back(CopyBuffer{{1}, {4}});
    plan.steps.emplace_back(
        Launch{kernel, geometry, {BufferIndex{3}, BufferIndex{4}, BufferIndex{5}, n, m, p}});
    plan.steps.emplace_back(CopyBuffer{{5}, {2}});
    return plan;
}

/// A step of the ladder. The work-group size is a part of the question, so `--full` sweeps over it.
Variant step(const char* name, const char* description, const char* kernel, std::int64_t rows,
             std::int64_t columns) {
    return {.name = name,
            .description = description,
            .constants = {{"ROWS", rows}, {"COLUMNS", columns}},
            .plan =
                [=](const Case& c) {
                    // A kernel with only one value does not read the constant.
                    const auto each = [&](const char* constant, std::int64_t own) {
                        return own == 1 ? 1 : static_cast<std::uint64_t>(c[constant]);
                    };
                    return plan(c, kernel, each("ROWS", rows), each("COLUMNS", columns));
                },
            .sweep = {"GROUP", {64}, {32, 64, 128, 256}}};
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const auto [n, m, p] = sizes_of(c);
    return product_inputs(c.type, n * p, p * m, pattern, seed);
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    return product_answer(in[1], in[0], transposed(c));
}

std::string refuse(const Case& c) {
    if (c["GROUP"] % 32 != 0) return "GROUP must be a multiple of 32, so that all warps are full.";
    return refuse_alignment(c);
}

}  // namespace

Suite suite() {
    return {
        .name = "multiply_ladder",
        .question = "What does each further use of a loaded value buy, and which size of groups?",
        .source = "multiply_ladder.cl",
        .dimensions = {"n", "m", "p"},
        .types = {ElementType::f32, ElementType::f64},
        .constants =
            {
                searched(
                    {"GROUP", 64, 32, 256, "work-items of a group, and values of k in a strip"},
                    {32, 64, 128, 256}),
                searched({"ROWS", 1, 1, 8, "values of i an item (two_rows, four_rows)"},
                         {1, 2, 4, 8}),
                searched({"COLUMNS", 1, 1, 8, "values of j an item (two_columns, four_columns)"},
                         {1, 2, 4, 8}),
                argument({"TRANSFERS", 0, 0, 1, "1: with the copies to the device and back"}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                step("plain", "version 1: one element an item, all from global memory", "plain", 1,
                     1),
                step("strip_of_c",
                     "version 2, with the barriers that it needs: a strip of c in local memory",
                     "strip_of_c", 1, 1),
                step("two_rows", "version 3: each value of the strip serves two values of i",
                     "rows", 2, 1),
                step("four_rows", "version 3: each value of the strip serves four values of i",
                     "rows", 4, 1),
                step("two_columns", "version 4: each value of b serves two values of j", "columns",
                     1, 2),
                step("four_columns", "version 4: each value of b serves four values of j",
                     "columns", 1, 4),
            },
        .shapes = product_shapes(),
        .check_shapes = {{{1, 1, 1}},
                         {{33, 1, 17}},
                         {{31, 5, 1}},
                         // More than 255, and a number of rows between one work-group's and two.
                         {{100, 259, 64}},
                         {{257, 6, 64}},
                         {{521, 7, 261}}},
        .edge_cases = hostile_products(),
        .opt_in = {"strip_of_c", "two_rows", "four_rows", "two_columns"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case& c) { return product_tolerance(transposed(c)); },
        .work = [](const Case& c) { return product_work(c.type, transposed(c)); },
        .refuse = refuse,
    };
}

}  // namespace parallax::multiply_ladder_suite
