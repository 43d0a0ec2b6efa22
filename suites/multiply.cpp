// A product of matrices, from one element an item to a block held in registers. After the three
// steps of NVIDIA's "OpenCL Best Practices Guide" (2009), and the step that came after.
#include <cmath>

#include "common/inputs.hpp"
#include "common/suite.hpp"

namespace parallax {
namespace {

struct Sizes {
    std::uint64_t m, n, k;
};

Sizes sizes_of(const Case& c) {
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
    std::vector<HostArray> arrays;
    arrays.emplace_back(c.type, m * k);
    arrays.emplace_back(c.type, k * n);
    for (std::uint64_t which = 0; which < 2; ++which) {
        visit_type(c.type, [&](auto zero) {
            using T = decltype(zero);
            using Limits = std::numeric_limits<T>;
            const std::span<T> data = arrays[which].as<T>();
            const std::uint64_t own = seed + 0x9e37 * which;
            fill_by_index(data, [&](std::uint64_t i) -> T {
                if (filling.exact) return static_cast<T>(small_integer(own, i));
                const double u = uniform(own, i);
                if (filling.name == "denormals" && which == 0) {
                    return static_cast<T>(u * static_cast<double>(Limits::min()));
                }
                return static_cast<T>(u);
            });
            if constexpr (Limits::has_infinity) {
                // One row or column of the product, and nothing else.
                const std::uint64_t at = mix(own, data.size()) % data.size();
                if (filling.name == "one nan" && which == 0) data[at] = Limits::quiet_NaN();
                if (filling.name == "infinity" && which == 1) data[at] = Limits::infinity();
            }
        });
    }
    return arrays;
}

/// Rows of the product in a wider type; i, k, j order, so that memory is walked in step.
template <class Wide, class T>
Expected product(std::span<const T> a, std::span<const T> b, const Sizes& sizes) {
    const auto [m, n, k] = sizes;
    std::vector<Wide> values(m * n);
    std::vector<double> magnitudes(m * n);
    for_chunks(
        m,
        [&, n = n, k = k](std::uint64_t begin, std::uint64_t end, std::size_t) {
            for (std::uint64_t row = begin; row < end; ++row) {
                Wide* const sum = values.data() + row * n;
                double* const magnitude = magnitudes.data() + row * n;
                for (std::uint64_t i = 0; i < k; ++i) {
                    const Wide left = static_cast<Wide>(a[row * k + i]);
                    const double size = std::fabs(static_cast<double>(left));
                    const T* const right = b.data() + i * n;
                    for (std::uint64_t j = 0; j < n; ++j) {
                        sum[j] += left * static_cast<Wide>(right[j]);
                        magnitude[j] += size * std::fabs(static_cast<double>(right[j]));
                    }
                }
            }
        },
        1);
    return {std::move(values), std::move(magnitudes)};
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    std::vector<Expected> expected;
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
        expected.push_back(product<Wide>(in[0].as<T>(), in[1].as<T>(), sizes_of(c)));
    });
    return expected;
}

Work work(const Case& c) {
    const auto [m, n, k] = sizes_of(c);
    return {.bytes = static_cast<double>((m * k + k * n + m * n) * size_of(c.type)),
            .operations =
                2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k)};
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

Suite multiply_suite() {
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
        .shapes = {{{128, 128, 128}},
                   {{256, 256, 256}},
                   {{333, 444, 555}},
                   {{512, 512, 512}},
                   {{1024, 1024, 1024}},
                   {{2048, 2048, 2048}},
                   {{4096, 4096, 4096}}},
        .check_shapes = {{{1, 1, 1}},
                         {{1, 33, 17}},
                         {{33, 1, 5}},
                         {{17, 19, 1}},
                         {{31, 33, 47}},
                         {{129, 131, 35}}},
        .hostile = {{"denormals", false, true},
                    {"one nan", false, true},
                    {"infinity", false, true}},
        .inputs = inputs,
        .reference = reference,
        // A fused multiply-add rounds once for each product.
        .tolerance =
            [](const Case& c) { return Tolerance::rounding(static_cast<double>(c.shape[2])); },
        .work = work,
        .refuse = refuse,
    };
}

}  // namespace parallax
