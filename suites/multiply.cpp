// A matrix product, from one element per work-item to a block in registers. After the three steps
// of NVIDIA's "OpenCL Best Practices Guide" (2009), and the step that came later.
#include <algorithm>

#include "common/suite/suite.hpp"
#include "suites/library_variant.hpp"
#include "suites/parts.hpp"
#include "suites/product.hpp"

namespace parallax::multiply_suite {
namespace {

ProductSizes sizes_of(const Case& c) {
    return {c.shape[0], c.shape[1], c.shape[2]};
}

/// `rows` and `columns`: of the product, per work-group.
Plan plan(const Case& c, const char* kernel, std::uint64_t rows, std::uint64_t columns,
          Size items) {
    const auto [m, n, k] = sizes_of(c);
    Plan plan;
    plan.buffers = {{"a", Role::input, c.type, m * k},
                    {"b", Role::input, c.type, k * n},
                    {"c", Role::output, c.type, m * n}};
    plan.steps.push_back(Launch{kernel,
                                {{divide_up(n, columns), divide_up(m, rows), 1}, items},
                                {BufferIndex{0}, BufferIndex{1}, BufferIndex{2}, m, n, k}});
    return plan;
}

Variant tiled(const char* name, const char* description) {
    return {.name = name, .description = description, .plan = [=](const Case& c) {
                const std::uint64_t tile = count_of(c, "TILE");
                return plan(c, name, tile, tile, {tile, tile, 1});
            }};
}

Plan blocked(const Case& c) {
    const std::uint64_t block = count_of(c, "BLOCK"), side = block / count_of(c, "EACH");
    return plan(c, "blocked", block, block, {side * side, 1, 1});
}

/// Copies of four elements need rows that are a multiple of four long. If those of b are not, the
/// first launch, with the length as its last argument, makes a padded copy of b.
void pad_rows_of_b(const Case& c, Plan& plan) {
    const auto [m, n, k] = sizes_of(c);
    const std::uint64_t length = divide_up(n, 4) * 4;
    auto& launch = std::get<Launch>(plan.steps.front().what);
    launch.arguments.emplace_back(length);
    if (length == n) return;
    const BufferIndex padded{plan.buffers.size()};
    launch.arguments.at(1) = padded;
    plan.buffers.push_back({"padded", Role::scratch, c.type, k * length});
    plan.steps.insert(plan.steps.begin(),
                      Launch{"pad_rows", in_a_row(k, 256), {BufferIndex{1}, padded, n, length}});
}

/// With fewer blocks than GROUPS, several work-groups share the depth of each block, and their
/// partial sums are added afterwards; each covers at least 128 products.
Plan streamed(const Case& c) {
    const auto [m, n, k] = sizes_of(c);
    const std::uint64_t rows = count_of(c, "BLOCK"), columns = count_of(c, "ACROSS");
    const std::uint64_t items = rows / count_of(c, "EACH") * (columns / count_of(c, "EACH_ACROSS"));
    const std::uint64_t blocks = divide_up(m, rows) * divide_up(n, columns);
    const std::uint64_t wanted =
        std::max<std::uint64_t>(1, std::min(count_of(c, "GROUPS") / blocks, k / 128));
    const std::uint64_t strip = count_of(c, "DEPTH");
    const std::uint64_t part = divide_up(divide_up(k, wanted), strip) * strip;
    const std::uint64_t parts = divide_up(k, part);
    const bool is_native = !c.variant->natives.empty();
    Plan plan = multiply_suite::plan(c, is_native ? "pipelined" : "streamed", rows, columns,
                                     {is_native ? items * count_of(c, "SLICES") : items, 1, 1});
    auto& launch = std::get<Launch>(plan.steps.front().what);
    launch.arguments.emplace_back(part);
    if (parts > 1) {
        const BufferIndex all{plan.buffers.size()};
        launch.geometry.groups.z = parts;
        launch.arguments.at(2) = all;
        plan.buffers.push_back({"parts", Role::scratch, c.type, parts * m * n});
        plan.steps.push_back(
            Launch{"add_parts",
                   covering(m * n, 256),
                   {all, BufferIndex{2}, m * n, static_cast<std::uint32_t>(parts)}});
    }
    if (is_native) pad_rows_of_b(c, plan);
    return plan;
}

/// A native variant with asynchronous copies of its strips to local memory.
Variant pipelined(const char* name, const char* description, std::vector<Constant> constants) {
    return {.name = name,
            .description = description,
            .constants = std::move(constants),
            .plan = streamed,
            .natives = {{.backend = "opencl",
                         .source = "multiply.opencl.cl",
                         .feature = "asynchronous_copies"},
                        {.backend = "cuda",
                         .source = "multiply.cuda.cu",
                         .feature = "asynchronous_copies"}},
            .types = {ElementType::f32}};
}

Plan library(const Case& c) {
    const auto [m, n, k] = sizes_of(c);
    return plan(c, "multiply", m, n, {1, 1, 1});
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const auto [m, n, k] = sizes_of(c);
    return product_inputs(c.type, m * k, k * n, pattern, seed);
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    return product_answer(in[0], in[1], sizes_of(c));
}

std::string refuse_streamed(const Case& c) {
    const std::int64_t rows = c["BLOCK"], columns = c["ACROSS"], depth = c["DEPTH"];
    if (c["EACH"] % 4 != 0 || c["EACH_ACROSS"] % 4 != 0 || depth % 4 != 0 || c["SPARE"] % 4 != 0) {
        return "EACH, EACH_ACROSS, DEPTH and SPARE must be multiples of 4.";
    }
    if (depth % c["UNROLL"] != 0) return "DEPTH must be a multiple of UNROLL.";
    if (rows % c["EACH"] != 0 || columns % c["EACH_ACROSS"] != 0) {
        return "BLOCK must be a multiple of EACH, and ACROSS of EACH_ACROSS.";
    }
    if (c.shape[1] >> 24 != 0 || c.shape[2] >> 24 != 0) {
        return "n and k must be less than 2^24: places in a strip are counted in 32 bits.";
    }
    const std::int64_t items = rows / c["EACH"] * (columns / c["EACH_ACROSS"]);
    if (rows * depth % (4 * items) != 0 || columns * depth % (4 * items) != 0) {
        return "BLOCK * DEPTH and ACROSS * DEPTH must be multiples of 4 elements for each item.";
    }
    const std::int64_t run = c["WHOLE_FOURS"] != 0 || !c.variant->natives.empty() ? 4 : 1;
    if (items * run % depth != 0 || items * run % columns != 0) {
        return "DEPTH and ACROSS must divide the number of elements that a load of all items "
               "brings: one an item, or four where all rows are a multiple of 4 long.";
    }
    if (std::max(rows, columns) * depth > 128 * items) {
        return "An item must load 128 elements at most of a strip: it holds them in registers.";
    }
    const std::int64_t wide = std::min(columns / c["EACH_ACROSS"], c["TEAM"]);
    const std::int64_t high = std::min(rows / c["EACH"], 32 / c["TEAM"]);
    if (32 % c["TEAM"] != 0 || columns / c["EACH_ACROSS"] % wide != 0 ||
        rows / c["EACH"] % high != 0) {
        return "TEAM must divide 32, and teams the items of a group.";
    }
    return refuse_alignment(c);
}

std::string refuse_pipelined(const Case& c) {
    const std::int64_t items =
        c["BLOCK"] / c["EACH"] * (c["ACROSS"] / c["EACH_ACROSS"]) * c["SLICES"];
    const std::int64_t pieces = c["DEPTH"] / 4 / c["SLICES"];
    if (c["DEPTH"] % (8 * c["SLICES"]) != 0) return "DEPTH must be a multiple of 8 * SLICES.";
    if (items % 32 != 0 || items > 1024 || c["BLOCK"] % (items / 8) != 0 ||
        c["BLOCK"] * c["DEPTH"] % (items * pieces) != 0 ||
        c["ACROSS"] * c["DEPTH"] % (4 * items * pieces) != 0 || items * 4 % c["ACROSS"] != 0) {
        return "Copies of a strip must be the same number for each item and each four of DEPTH.";
    }
    if (c["SLICES"] > 1 && c["EACH"] * c["EACH_ACROSS"] * (items / c["SLICES"]) >
                               2 * c["DEPTH"] * (c["BLOCK"] + c["SPARE"])) {
        return "The sums of a slice must fit where the tiles of a are.";
    }
    return {};
}

std::string refuse(const Case& c) {
    if (!c.variant->natives.empty() && c.variant->name != "library") {
        const std::string reason = refuse_streamed(c);
        return reason.empty() ? refuse_pipelined(c) : reason;
    }
    if (c.variant->name == "streamed") return refuse_streamed(c);
    if (c["EACH"] % 4 != 0) return "EACH must be a multiple of 4.";
    if (c["BLOCK"] % c["EACH"] != 0) return "BLOCK must be a multiple of EACH.";
    const std::int64_t side = c["BLOCK"] / c["EACH"], items = side * side;
    if (items % c["BLOCK"] != 0 || items % c["DEPTH"] != 0 ||
        c["BLOCK"] % (items / c["DEPTH"]) != 0 || c["DEPTH"] % (items / c["BLOCK"]) != 0) {
        return "The (BLOCK / EACH)^2 work-items of a group must be a multiple of BLOCK and of "
               "DEPTH, and take whole steps through both tiles.";
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
                searched({"TILE", 16, 1, 32,
                          "side of a tile, and of a group (naive, staged_a, staged_ab)"},
                         {8, 16, 32}),
                searched({"BLOCK", 128, 4, 256, "side of a group's block of the product (blocked)"},
                         {64, 128, 256}),
                searched({"DEPTH", 16, 1, 64,
                          "columns of a and rows of b that are staged at once (blocked)"},
                         {8, 16, 32}),
                searched({"EACH", 8, 4, 16, "side of an item's part of the block (blocked)"},
                         {4, 8, 16}),
                searched({"ACROSS", 128, 4, 256, "columns of a group's block (streamed)"},
                         {64, 128, 256}),
                searched(
                    {"EACH_ACROSS", 16, 4, 16, "columns of an item's part of the block (streamed)"},
                    {4, 8, 16}),
                searched(
                    {"TEAM", 4, 1, 32, "items side by side of 32 that share a part (streamed)"},
                    {4, 8, 16}),
                searched(
                    {"UNROLL", 8, 1, 64, "products of an element that are written out (streamed)"},
                    {4, 8, 16}),
                {"SLICES", 1, 1, 8,
                 "teams of a group that share the depth of a strip (pipelined, sliced)"},
                searched(
                    argument(
                        {"GROUPS", 256, 1, 1 << 16,
                         "groups that share the depth of blocks where these are fewer (streamed)"}),
                    {128, 256, 512, 1024}),
                {.name = "WHOLE_FOURS",
                 .least = 0,
                 .most = 1,
                 .meaning = "1 where all rows are a multiple of 4 elements long (streamed)",
                 .follows = [](const Case& c) -> std::int64_t {
                     return c.shape[1] % 4 == 0 && c.shape[2] % 4 == 0;
                 }},
                searched(
                    {"SPARE", 4, 0, 64, "elements to spare behind each row of a block's tiles"},
                    {0, 4}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                tiled("naive", "one element an item, row and column from global memory"),
                tiled("staged_a", "a tile of a in local memory: its reads coalesce"),
                tiled("staged_ab", "a tile of b too: no element is read twice by a group"),
                {.name = "blocked",
                 .description =
                     "a block of the product in registers: local memory is read a fraction "
                     "as often",
                 .plan = blocked},
                {.name = "streamed",
                 .description = "the next strips are on their way while one is multiplied",
                 .plan = streamed,
                 .source = "multiply_streamed.cl"},
                pipelined(
                    "pipelined",
                    "streamed, but strips go past the registers, a few words between products", {}),
                pipelined(
                    "sliced",
                    "pipelined for small products: small blocks, whose depth four teams share",
                    {{"BLOCK", 64},
                     {"ACROSS", 64},
                     {"EACH_ACROSS", 8},
                     {"DEPTH", 32},
                     {"SLICES", 4},
                     {"GROUPS", 1}}),
                library_variant(library),
            },
        .shapes = product_shapes(),
        .check_shapes = {{{1, 1, 1}},
                         {{1, 33, 17}},
                         {{33, 1, 5}},
                         {{17, 19, 1}},
                         {{31, 33, 47}},
                         {{131, 68, 36}},
                         {{20, 12, 520}},
                         {{129, 131, 35}},
                         // Two whole blocks each way, and more than 255.
                         {{257, 261, 35}}},
        .edge_cases = hostile_products(),
        .opt_in = {"staged_a", "naive", "pipelined", "sliced", "library"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case& c) { return product_tolerance(sizes_of(c)); },
        .work = [](const Case& c) { return product_work(c.type, sizes_of(c)); },
        .refuse = refuse,
    };
}

}  // namespace parallax::multiply_suite
