// A matrix transpose. After "Optimizing Matrix Transpose" in NVIDIA's OpenCL best practices of
// 2009: naive, staged in local memory, staged with a padding column.
#include "suites/library_variant.hpp"
#include "suites/parts.hpp"

namespace parallax::transpose_suite {
namespace {

Plan plan(const Case& c, const char* kernel, const Geometry& geometry) {
    const std::uint64_t width = c.shape[0], height = c.shape[1];
    Plan plan = in_to_out(c, width * height, width * height);
    plan.steps.push_back(Launch{kernel, geometry, {BufferIndex{0}, BufferIndex{1}, width, height}});
    return plan;
}

Plan tile_a_group(const Case& c, const char* kernel) {
    const auto tile = count_of(c, "TILE");
    return plan(c, kernel,
                {{divide_up(c.shape[0], tile), divide_up(c.shape[1], tile), 1},
                 {tile, count_of(c, "ROWS"), 1}});
}

Plan wide(const Case& c) {
    if (c.shape[0] % 4 == 0 && c.shape[1] % 4 == 0) return tile_a_group(c, "wide");
    const auto tile = count_of(c, "TILE");
    // Pieces of a row begin up to 7 elements before a tile does.
    return plan(c, "pieces",
                {{divide_up(c.shape[1] + 7, tile), divide_up(c.shape[0], tile), 1}, {tile, 8, 1}});
}

Plan library(const Case& c) {
    return plan(c, "transpose", {});
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    return moved_inputs(c, c.shape[0] * c.shape[1], pattern, seed);
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const std::uint64_t width = c.shape[0], height = c.shape[1];
    HostArray out(c.type, width * height);
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        const std::span<const T> from = in[0].as<T>();
        const std::span<T> to = out.as<T>();
        // Blocks of at least a cache line, so that neither side strides through memory.
        constexpr std::uint64_t block = 32;
        for_chunks(
            divide_up(width, block),
            [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
                for (std::uint64_t left = begin * block; left < std::min(end * block, width);
                     left += block) {
                    for (std::uint64_t top = 0; top < height; top += block) {
                        for (std::uint64_t x = left; x < std::min(left + block, width); ++x) {
                            for (std::uint64_t y = top; y < std::min(top + block, height); ++y) {
                                to[x * height + y] = from[y * width + x];
                            }
                        }
                    }
                }
            },
            std::max<std::uint64_t>(1, (1u << 15) / (block * height)));
    });
    return one_answer(std::move(out));
}

std::string refuse(const Case& c) {
    if (c["TILE"] % c["ROWS"] != 0) return "TILE must be a multiple of ROWS.";
    if (c.variant->name == "wide" && (c["TILE"] < 8 || (c["TILE"] & (c["TILE"] - 1)) != 0)) {
        return "TILE must be a power of two from 8 on.";
    }
    return refuse_alignment(c);
}

Variant variant(const char* name, const char* description, const char* kernel,
                std::vector<Constant> constants) {
    return {.name = name,
            .description = description,
            .constants = std::move(constants),
            .plan = [=](const Case& c) { return tile_a_group(c, kernel); }};
}

}  // namespace

Suite suite() {
    return {
        .name = "transpose",
        .question = "What does staging a tile buy, and one column of padding on top?",
        .source = "transpose.cl",
        .dimensions = {"width", "height"},
        .types = {ElementType::f32, ElementType::f64, ElementType::i32},
        .constants =
            {
                searched({"TILE", 32, 1, 128, "side of a tile, and work-items of a group in x"},
                         {16, 32, 64}),
                searched({"ROWS", 8, 1, 128,
                          "work-items of a group in y; divides TILE (wide: where sizes are whole "
                          "fours, else 8)"},
                         {2, 4, 8, 16, 32}),
                searched({"PAD", 0, 0, 32, "spare columns of the tile"}, {0, 1}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                variant("naive", "reads are neighbours, writes are a column apart", "naive", {}),
                variant("tiled", "a tile turns in local memory: both sides coalesce, banks collide",
                        "tiled", {}),
                variant("padded", "one spare column spreads the tile over all banks", "tiled",
                        {{"PAD", 1}}),
                {.name = "wide",
                 .description = "four elements a load and a store, turned in registers; odd sizes: "
                                "whole sectors a store",
                 .constants = {{"TILE", 64}, {"ROWS", 4}},
                 .plan = wide},
                library_variant(library),
            },
        .shapes = {{{256, 256}},
                   {{1000, 777}},
                   {{1024, 1024}},
                   {{2048, 1024}},
                   {{2048, 2048}},
                   {{4096, 4096}},
                   {{8191, 8193}},
                   {{8192, 8192}}},
        .check_shapes = {{{1, 1}},
                         {{1, 33}},
                         {{33, 1}},
                         {{31, 31}},
                         {{32, 32}},
                         {{33, 33}},
                         // One side is a multiple of four above 255, the other a multiple of three.
                         {{260, 9}},
                         // Four more than whole tiles each way: one run of `wide`.
                         {{68, 132}},
                         {{5, 260}},
                         // The last tile ends with the last row, but not with the last column.
                         {{65, 128}},
                         {{129, 65}}},
        .edge_cases = {any_bits()},
        .opt_in = {"library"},
        .inputs = inputs,
        .reference = reference,
        // A library multiplies by 1, which changes a signalling NaN.
        .tolerance =
            [](const Case& c) {
                return c.variant->name == "library" ? Tolerance::exact() : Tolerance::bits();
            },
        .work =
            [](const Case& c) {
                return moving(c, 2.0 * static_cast<double>(c.shape[0] * c.shape[1]));
            },
        .refuse = refuse,
    };
}

}  // namespace parallax::transpose_suite
