// Reads of small neighbourhoods from buffers and from images, in cache-friendly and unfriendly
// orders.
#include <algorithm>
#include <limits>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"

namespace parallax::images_suite {
namespace {

constexpr std::uint64_t tile = 16, tile_items = tile * tile;

/// The texel of a work-item.
enum class Order { rows, columns, tiles, scattered, line };

Order order_of(const Case& c) {
    const std::string& name = c.variant->problem;
    if (name == "rows") return Order::rows;
    if (name == "columns") return Order::columns;
    if (name == "tiles") return Order::tiles;
    return name == "scattered" ? Order::scattered : Order::line;
}

Geometry geometry_of(const Case& c) {
    const std::uint64_t width = c.shape[0], height = c.shape[1];
    const auto x = count_of(c, "GROUP_X");
    const auto y = count_of(c, "GROUP_Y");
    switch (order_of(c)) {
        case Order::rows:
        case Order::scattered: break;
        case Order::columns: return {{divide_up(height, x), divide_up(width, y), 1}, {x, y, 1}};
        case Order::tiles:
            return {{divide_up(width, tile), divide_up(height, tile), 1}, {tile_items, 1, 1}};
        case Order::line: return in_a_row(divide_up(width * height, x * y), x * y);
    }
    return {{divide_up(width, x), divide_up(height, y), 1}, {x, y, 1}};
}

Plan plan(const Case& c, const char* kernel, bool is_image) {
    const std::uint64_t width = c.shape[0], height = c.shape[1], count = width * height;
    const Order order = order_of(c);
    const Geometry geometry = geometry_of(c);
    BufferSpec in{"in", Role::input, c.type, count};
    if (is_image) {
        in.image = order == Order::line ? ImageExtents{.width = count}
                                        : ImageExtents{.width = width, .height = height};
    }
    Plan plan;
    plan.buffers = {std::move(in),
                    {"out", Role::output, c.type,
                     order == Order::tiles ? geometry.groups.product() * tile_items : count}};
    Launch launch{kernel, geometry, {BufferIndex{0}, BufferIndex{1}}};
    if (order == Order::line) {
        launch.arguments.emplace_back(static_cast<std::int32_t>(count));
    } else {
        launch.arguments.emplace_back(static_cast<std::int32_t>(width));
        launch.arguments.emplace_back(static_cast<std::int32_t>(height));
    }
    plan.steps = {std::move(launch)};
    return plan;
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float denormal = std::numeric_limits<float>::denorm_min();
    HostArray in(c.type, c.shape[0] * c.shape[1]);
    const bool is_exact = pattern.exact, is_denormal = pattern.name == "denormals";
    const bool has_infinities = pattern.name == "infinities", has_nans = pattern.name == "nan";
    fill_by_index(in.as<float>(), [=](std::uint64_t i) {
        const std::uint64_t any = mix(seed, i);
        if (is_denormal) return denormal * static_cast<float>(1 + any % 1000);
        if (has_infinities && any % 64 == 0) return infinity;
        if (has_nans && any % 64 == 1) return std::numeric_limits<float>::quiet_NaN();
        // The sum of nine of them is exact in a float.
        return is_exact ? static_cast<float>(small_integer(seed, i))
                        : static_cast<float>(static_cast<std::int32_t>(any % 2000001) - 1000000);
    });
    return one_array(std::move(in));
}

std::int64_t held(std::int64_t at, std::uint64_t end) {
    return std::clamp<std::int64_t>(at, 0, static_cast<std::int64_t>(end) - 1);
}

/// The distance of the work-item's texel from its own index.
std::int64_t scatter(std::uint64_t x, std::uint64_t y, unsigned shift) {
    auto mixed = static_cast<std::uint32_t>(x * 2654435761u + y * 2246822519u);
    mixed ^= mixed >> 15;
    mixed *= 2654435761u;
    return static_cast<std::int64_t>(mixed >> shift & 15) - 8;
}

float sum_around(std::span<const float> in, std::int64_t x, std::int64_t y, std::uint64_t width,
                 std::uint64_t height) {
    const std::int64_t columns[] = {held(x - 1, width), held(x, width), held(x + 1, width)};
    float sum = 0;
    for (std::int64_t dy = -1; dy <= 1; ++dy) {
        const float* row = &in[static_cast<std::uint64_t>(held(y + dy, height)) * width];
        for (const std::int64_t column : columns) sum += row[column];
    }
    return sum;
}

float sum_on_line(std::span<const float> in, std::uint64_t i) {
    const std::int64_t at =
        static_cast<std::int64_t>(i) + 16 * scatter(i, 0, 20) + scatter(i, 0, 24);
    float sum = 0;
    for (std::int64_t d = -4; d <= 4; ++d) {
        sum += in[static_cast<std::uint64_t>(held(at + d, in.size()))];
    }
    return sum;
}

/// Bits 0, 2, 4 and 6.
std::uint64_t every_second(std::uint64_t bits) {
    std::uint64_t made = 0;
    for (unsigned k = 0; k < 4; ++k) made |= (bits >> 2 * k & 1) << k;
    return made;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& arrays) {
    const std::uint64_t width = c.shape[0], height = c.shape[1];
    const auto in = arrays[0].as<float>();
    const Order order = order_of(c);
    const Size groups = geometry_of(c).groups;
    HostArray out(c.type, order == Order::tiles ? groups.product() * tile_items : width * height);
    const auto sum_at = [&](std::uint64_t x, std::uint64_t y) {
        return sum_around(in, static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), width,
                          height);
    };
    if (order == Order::columns) {
        // Some at a time, so that rows are read in sequence.
        constexpr std::uint64_t at_once = 16;
        for_chunks(
            divide_up(width, at_once),
            [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
                for (std::uint64_t first = begin * at_once; first < std::min(end * at_once, width);
                     first += at_once) {
                    for (std::uint64_t y = 0; y < height; ++y) {
                        for (std::uint64_t x = first; x < std::min(first + at_once, width); ++x) {
                            out.as<float>()[x * height + y] = sum_at(x, y);
                        }
                    }
                }
            },
            divide_up(1 << 15, at_once * height));
    } else {
        fill_by_index(out.as<float>(), [&](std::uint64_t i) {
            switch (order) {
                case Order::rows:
                case Order::columns: break;
                case Order::tiles: {
                    const std::uint64_t group = i / tile_items, item = i % tile_items;
                    const std::uint64_t x = group % groups.x * tile + every_second(item);
                    const std::uint64_t y = group / groups.x * tile + every_second(item >> 1);
                    return x < width && y < height ? sum_at(x, y) : 0.0f;
                }
                case Order::scattered: {
                    const std::uint64_t x = i % width, y = i / width;
                    const auto at = [&](std::uint64_t own, unsigned shift, std::uint64_t end) {
                        return held(static_cast<std::int64_t>(own) + scatter(x, y, shift), end);
                    };
                    return sum_around(in, at(x, 20, width), at(y, 24, height), width, height);
                }
                case Order::line: return sum_on_line(in, i);
            }
            return sum_at(i % width, i / width);
        });
    }
    return one_answer(std::move(out));
}

Variant of_buffer(const char* name, const char* problem, const char* description) {
    return {.name = name,
            .description = description,
            .plan = [=](const Case& c) { return plan(c, name, false); },
            .problem = problem};
}

Variant of_image(const char* name, const char* problem, const char* description) {
    return {.name = name,
            .description = description,
            .plan = [=](const Case& c) { return plan(c, name, true); },
            .feature = "images",
            .problem = problem};
}

}  // namespace

Suite suite() {
    return {
        .name = "images",
        .question = "Do image reads forgive what buffer reads do not?",
        .source = "images.cl",
        .dimensions = {"width", "height"},
        .types = {ElementType::f32},
        .constants = {searched(argument({"GROUP_X", 32, 1, 1024,
                                         "items of a group that are neighbours"}),
                               {4, 8, 16, 32, 64, 128}),
                      searched(argument({"GROUP_Y", 8, 1, 1024, "such rows of items in a group"}),
                               {1, 2, 4, 8, 16, 32})},
        .variants =
            {
                of_buffer("buffer_rows", "rows", "neighbours of a row: reads lie side by side"),
                of_image("image_rows", "rows", "neighbours of a row, from an image"),
                of_buffer("buffer_columns", "columns",
                          "neighbours of a column: every read is in another row"),
                of_image(
                    "image_columns", "columns",
                    "neighbours of a column, from an image: it keeps near texels near in memory"),
                of_buffer("buffer_tiles", "tiles", "a group is a square tile in Z-order"),
                of_image("image_tiles", "tiles", "square tiles from an image"),
                of_buffer("buffer_scattered", "scattered",
                          "every item somewhere near its own place"),
                of_image("image_scattered", "scattered", "scattered texels of an image"),
                of_buffer("buffer_line", "line", "one dimension, each item near its own place"),
                of_image(
                    "image_line", "line",
                    "one dimension, from an image of the buffer's texels: rows as they are, and "
                    "other caches"),
            },
        .shapes = {{{256, 256}}, {{1024, 1024}}, {{2048, 2048}}, {{4096, 4096}}, {{8192, 8192}}},
        .check_shapes =
            {{{1, 1}}, {{2, 1}}, {{1, 7}}, {{31, 17}}, {{33, 15}}, {{67, 129}}, {{255, 19}}},
        .edge_cases = {{"denormals", false, true},
                       {"infinities", false, true},
                       {"nan", false, true}},
        .opt_in = {"buffer_rows", "image_rows", "buffer_tiles", "image_tiles", "buffer_scattered",
                   "image_scattered", "buffer_line", "image_line"},
        .inputs = inputs,
        .reference = reference,
        // All add the nine texels in the same order, so that rounding is the same.
        .tolerance = [](const Case&) { return Tolerance::exact(); },
        .work =
            [](const Case& c) {
                const auto texels = static_cast<double>(c.shape[0] * c.shape[1]);
                return moving(c, 2 * texels, 9 * texels);
            },
        .refuse = [](const Case& c) -> std::string {
            constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
            if (c.shape[0] > most / 2 / c.shape[1]) {
                return "The kernels count texels in 31 bits, with room to spare: take a smaller "
                       "image.";
            }
            if (c["GROUP_X"] * c["GROUP_Y"] > 1024) {
                return "A group has GROUP_X * GROUP_Y items, and no device takes more than 1024.";
            }
            return {};
        },
    };
}

}  // namespace parallax::images_suite
