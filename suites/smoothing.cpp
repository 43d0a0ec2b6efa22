// Smooths a 16-bit image by the mean of every pixel and its neighbours, in several layouts. After
// the optimisation of a smoothing kernel in lectures on CUDA.
#include <algorithm>

#include <fmt/format.h>

#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"

namespace parallax::smoothing_suite {
namespace {

// Names of layouts: Variant::problem.
constexpr const char* padded = "padded";
constexpr const char* pitched = "pitched";

constexpr std::uint64_t padded_channels = 4;
constexpr std::uint64_t padded_bytes = padded_channels * sizeof(std::uint16_t);

/// The position of an image's values: row-major, then by pixel, then by channel.
struct ImageLayout {
    std::uint64_t width = 0, height = 0;
    std::uint64_t channels = 0;  ///< of the image
    std::uint64_t stored = 0;    ///< values per pixel in memory; those beyond `channels` are 0
    std::uint64_t stride = 0;    ///< pixels per row in memory; those beyond `width` are 0

    std::uint64_t values() const { return stride * height * stored; }
    std::uint64_t at(std::uint64_t x, std::uint64_t y, std::uint64_t channel) const {
        return (y * stride + x) * stored + channel;
    }
};

ImageLayout layout_of(const Case& c) {
    ImageLayout layout{.width = c.shape[0],
                       .height = c.shape[1],
                       .channels = count_of(c, "CHANNELS"),
                       .stored = count_of(c, "CHANNELS"),
                       .stride = c.shape[0]};
    if (!c.variant->problem.empty()) layout.stored = padded_channels;
    if (c.variant->problem == pitched) {
        const auto pitch = count_of(c, "PITCH") / padded_bytes;
        layout.stride = divide_up(layout.width, pitch) * pitch;
    }
    return layout;
}

/// `columns` and `rows`: work-items for a row and a column of pixels.
Plan plan(const Case& c, const char* kernel, std::uint64_t across, std::uint64_t down) {
    const ImageLayout layout = layout_of(c);
    const auto columns = count_of(c, "GROUP_X");
    const auto rows = count_of(c, "GROUP_Y");
    Plan plan = in_to_out(c, layout.values(), layout.values());
    Launch launch{kernel,
                  {{divide_up(across, columns), divide_up(down, rows), 1}, {columns, rows, 1}},
                  {BufferIndex{0}, BufferIndex{1}, layout.width, layout.height}};
    if (!c.variant->problem.empty()) launch.arguments.emplace_back(layout.stride);
    plan.steps.push_back(std::move(launch));
    return plan;
}

Plan pixel_an_item(const Case& c, const char* kernel) {
    const ImageLayout layout = layout_of(c);
    return plan(c, kernel, layout.stride, layout.height);
}

Plan wide(const Case& c) {
    const ImageLayout layout = layout_of(c);
    return plan(c, "wide", divide_up(layout.width * layout.channels, 8),
                divide_up(layout.height, count_of(c, "STRIP")));
}

/// Whether a pixel is a corner of the image, or the middle of one of its edges.
bool is_rim(const ImageLayout& layout, std::uint64_t x, std::uint64_t y) {
    const auto place = [](std::uint64_t at, std::uint64_t extent) {
        return at == 0 || at + 1 == extent ? 2 : at == extent / 2 ? 1 : 0;
    };
    const int across = place(x, layout.width), down = place(y, layout.height);
    return across + down >= 3;
}

/// Every value of an image in its layout; what does not belong to the image is 0.
/// @param value  of x, y and channel
template <class Value>
void fill_image(const ImageLayout& layout, std::span<std::uint16_t> out, Value&& value) {
    for_chunks(
        layout.height,
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            std::uint16_t* next = &out[begin * layout.stride * layout.stored];
            for (std::uint64_t y = begin; y < end; ++y) {
                for (std::uint64_t x = 0; x < layout.stride; ++x) {
                    for (std::uint64_t channel = 0; channel < layout.stored; ++channel) {
                        const bool is_image = x < layout.width && channel < layout.channels;
                        *next++ = static_cast<std::uint16_t>(is_image ? value(x, y, channel) : 0);
                    }
                }
            }
        },
        divide_up(1 << 15, layout.stride * layout.stored));
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const ImageLayout layout = layout_of(c);
    std::vector<HostArray> arrays;
    arrays.emplace_back(c.type, layout.values());
    const bool is_exact = pattern.exact, is_maximum = pattern.name == "all maximum";
    const bool is_dark = pattern.name == "bright rim";
    fill_image(layout, arrays[0].as<std::uint16_t>(),
               [=](std::uint64_t x, std::uint64_t y, std::uint64_t channel) -> std::uint64_t {
                   // By the position in the image: all layouts hold the same image.
                   const std::uint64_t drawn =
                       mix(seed, (y * layout.width + x) * layout.channels + channel) >> 32;
                   // The sum of nine of them fits in 16 bits.
                   if (is_exact) return 1 + drawn % 7280;
                   if (is_maximum) return 65535;
                   if (is_dark) return is_rim(layout, x, y) ? 65535 - drawn % 64 : 0;
                   return drawn % 65536;
               });
    return arrays;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const ImageLayout layout = layout_of(c);
    const std::span<const std::uint16_t> data = in[0].as<std::uint16_t>();
    HostArray means(c.type, layout.values());
    const std::span<std::uint16_t> out = means.as<std::uint16_t>();
    const std::uint64_t row_values = layout.stride * layout.stored;
    for_chunks(layout.height, [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
        std::vector<std::uint32_t> columns(row_values);  // sums of a column's three values
        for (std::uint64_t y = begin; y < end; ++y) {
            const std::uint64_t top = y > 0 ? y - 1 : 0,
                                bottom = std::min(y + 1, layout.height - 1);
            std::ranges::fill(columns, 0);
            for (std::uint64_t row = top; row <= bottom; ++row) {
                const std::uint16_t* values = &data[row * row_values];
                for (std::uint64_t i = 0; i < row_values; ++i) columns[i] += values[i];
            }
            std::ranges::fill(out.subspan(y * row_values, row_values), 0);
            for (std::uint64_t x = 0; x < layout.width; ++x) {
                const std::uint64_t left = x > 0 ? x - 1 : 0,
                                    right = std::min(x + 1, layout.width - 1);
                const auto count =
                    static_cast<std::uint32_t>((right - left + 1) * (bottom - top + 1));
                for (std::uint64_t channel = 0; channel < layout.channels; ++channel) {
                    std::uint32_t sum = count / 2;
                    for (std::uint64_t column = left; column <= right; ++column) {
                        sum += columns[column * layout.stored + channel];
                    }
                    out[layout.at(x, y, channel)] = static_cast<std::uint16_t>(sum / count);
                }
            }
        }
    });
    return one_answer(std::move(means));
}

/// Every layout holds the same image, so all have the same work: additional traffic is a layout's
/// own cost.
Work work(const Case& c) {
    const auto pixels = static_cast<double>(c.shape[0] * c.shape[1]);
    const double values = pixels * times(c, "CHANNELS");
    return moving(c, 2 * values, 9 * values);  // 8 additions and a division
}

std::string refuse(const Case& c) {
    if (c["GROUP_X"] * c["GROUP_Y"] > 1024) {
        return fmt::format("A group of {} x {} items is more than 1024.", c["GROUP_X"],
                           c["GROUP_Y"]);
    }
    if (c["PITCH"] % static_cast<std::int64_t>(padded_bytes) != 0) {
        return fmt::format("PITCH must be a multiple of {}, the bytes of a padded pixel.",
                           padded_bytes);
    }
    if (!c.variant->problem.empty() && c["ALIGN"] < static_cast<std::int64_t>(padded_bytes)) {
        return fmt::format("ALIGN must not be less than {}, the bytes of a padded pixel.",
                           padded_bytes);
    }
    return refuse_alignment(c);
}

Variant variant(const char* name, const char* description, const char* kernel,
                const char* problem) {
    return {.name = name,
            .description = description,
            .plan = [=](const Case& c) { return pixel_an_item(c, kernel); },
            .problem = problem};
}

}  // namespace

Suite suite() {
    return {
        .name = "smoothing",
        .question = "What do local memory, padded pixels and aligned rows save an image filter?",
        .source = "smoothing.cl",
        .dimensions = {"width", "height"},
        .types = {ElementType::u16},
        .constants =
            {
                {"CHANNELS",
                 3,
                 1,
                 static_cast<std::int64_t>(padded_channels),
                 "values of a pixel of the image",
                 {},
                 true},
                searched({"GROUP_X", 32, 1, 1024, "pixels of a group in a row"},
                         {8, 16, 32, 64, 128, 256}),
                searched({"GROUP_Y", 8, 1, 1024, "rows of a group"}, {1, 2, 4, 8, 16}),
                searched({"STRIP", 4, 1, 64, "rows of an item (wide)"}, {1, 2, 4, 8}),
                argument({"PITCH",
                          512,
                          8,
                          65536,
                          "rows begin at multiples of so many bytes (pitched)",
                          {},
                          true}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                variant("plain", "three channels of 2 bytes: every value is a load of its own",
                        "plain", ""),
                variant("staged", "a group reads its pixels and a halo once, into local memory",
                        "staged", ""),
                variant("padded", "a fourth channel of zeros: one load of 8 bytes a pixel",
                        "padded", padded),
                variant("padded_staged", "padded pixels by way of local memory", "padded_staged",
                        padded),
                variant("pitched", "padded pixels, and every row begins at a multiple of PITCH",
                        "padded", pitched),
                variant("pitched_staged", "pitched rows by way of local memory", "padded_staged",
                        pitched),
                {.name = "wide",
                 .description =
                     "pixels without gaps, eight values a load, all rows under way together",
                 .constants = {{"GROUP_Y", 4}},
                 .plan = wide},
            },
        .shapes = {{{256, 256}},
                   {{664, 1024}},
                   {{1024, 664}},
                   {{2048, 2048}},
                   {{4096, 4096}},
                   {{8192, 8192}}},
        .check_shapes = {{{1, 1}},
                         {{1, 9}},
                         {{33, 1}},
                         {{2, 2}},
                         {{3, 3}},
                         {{31, 7}},
                         {{32, 8}},
                         // Wider than 255.
                         {{521, 9}},
                         {{7, 67}},
                         {{136, 37}},
                         {{129, 37}}},
        .edge_cases = {{"all maximum", false, false}, {"bright rim", false, false}},
        .opt_in = {"staged", "padded_staged", "pitched", "pitched_staged"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::exact(); },
        .work = work,
        .refuse = refuse,
    };
}

}  // namespace parallax::smoothing_suite
