// A product of matrices, from one element an item to a block held in registers. After the three
// steps of NVIDIA's "OpenCL Best Practices Guide" (2009), and the step that came after.
#include "common/suite.hpp"
#include "suites/product.hpp"

namespace parallax::multiply_suite {
namespace {

ProductSizes sizes_of(const Case& c) {
    return {c.shape[0], c.shape[1], c.shape[2]};
}

Plan plan(const Case& c, const char* kernel, std::uint64_t block, Size items) {
    const auto [m, n, k] = sizes_of(c);
    Plan plan;
    plan.buffers = {{"a", Role::input, c.type, m * k},
                    {"b", Role::input, c.type, k * n},
                    {"c", Role::output, c.type, m * n}};
    plan.steps.push_back(Launch{kernel,
                                {{divide_up(n, block), divide_up(m, block), 1}, items},
                                {BufferIndex{0}, BufferIndex{1}, BufferIndex{2}, m, n, k}});
    return plan;
}

Variant tiled(const char* name, const char* teaches) {
    return {.name = name, .teaches = teaches, .plan = [=](const Case& c) {
                const auto tile = static_cast<std::uint64_t>(c["TILE"]);
                return plan(c, name, tile, {tile, tile, 1});
            }};
}

Plan blocked(const Case& c) {
    const auto block = static_cast<std::uint64_t>(c["BLOCK"]);
    const std::uint64_t side = block / static_cast<std::uint64_t>(c["EACH"]);
    return plan(c, "blocked", block, {side * side, 1, 1});
}

std::vector<HostArray> inputs(const Case& c, const Filling& filling, std::uint64_t seed) {
    const auto [m, n, k] = sizes_of(c);
    return product_inputs(c.type, m * k, k * n, filling, seed);
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    std::vector<Expected> expected;
    expected.push_back(product_reference(in[0], in[1], sizes_of(c)));
    return expected;
}

std::string refuse(const Case& c) {
    if (c["EACH"] % 4 != 0) return "EACH must be a multiple of 4.";
    if (c["BLOCK"] % c["EACH"] != 0) return "BLOCK must be a multiple of EACH.";
    const std::int64_t side = c["BLOCK"] / c["EACH"], items = side * side;
    if (items % c["BLOCK"] != 0 || items % c["DEPTH"] != 0 ||
        c["BLOCK"] % (items / c["DEPTH"]) != 0 || c["DEPTH"] % (items / c["BLOCK"]) != 0) {
        return "The (BLOCK / EACH)^2 work-items of a group must be a multiple of BLOCK and of "
               "DEPTH, and "
               "take whole steps through both tiles.";
    }
    return refuse_alignment(c);
}

}  // namespace

Suite suite() {
    return {
        .name = "multiply",
        .question =
            "How often is a value used once it is near? Tiles in local memory, then registers.",
        .source = "multiply.cl",
        .dimensions = {"m", "n", "k"},
        .types = {ElementType::f32, ElementType::f64},
        .constants =
            {
                {"TILE", 16, 1, 32, "side of a tile, and of a group (naive, staged_a, staged_ab)"},
                {"BLOCK", 128, 4, 256, "side of a group's block of the product (blocked)"},
                {"DEPTH", 16, 1, 64,
                 "columns of a and rows of b that are staged at once (blocked)"},
                {"EACH", 8, 4, 16, "side of an item's part of the block (blocked)"},
                {"SPARE", 4, 0, 64, "elements to spare behind each row of a block's tiles"},
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                tiled("naive", "one element an item, row and column from global memory"),
                tiled("staged_a", "a tile of a in local memory: its reads coalesce"),
                tiled("staged_ab", "a tile of b too: no element is read twice by a group"),
                {.name = "blocked",
                 .teaches = "a block of the product in registers: local memory is read a fraction "
                            "as often",
                 .plan = blocked},
            },
        .shapes = product_shapes(),
        .check_shapes = {{{1, 1, 1}},
                         {{1, 33, 17}},
                         {{33, 1, 5}},
                         {{17, 19, 1}},
                         {{31, 33, 47}},
                         {{129, 131, 35}},
                         // Two whole blocks each way, and more than a byte counts.
                         {{257, 261, 35}}},
        .hostile = hostile_products(),
        .details = {"staged_a"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case& c) { return product_tolerance(sizes_of(c)); },
        .work = [](const Case& c) { return product_work(c.type, sizes_of(c)); },
        .refuse = refuse,
    };
}

}  // namespace parallax::multiply_suite
