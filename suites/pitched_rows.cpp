// Rows that follow each other, and rows that each begin at an alignment boundary, like
// cudaMallocPitch.
#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"

namespace parallax::pitched_rows_suite {
namespace {

/// Elements from the start of a row to the start of the next.
std::uint64_t pitch_of(const Case& c) {
    const std::uint64_t width = c.shape[0];
    if (c.variant->problem.empty()) return width;
    const std::uint64_t step = count_of(c, "PITCH") / size_of(c.type);
    return divide_up(width, step) * step;
}

Plan plan(const Case& c, const char* kernel) {
    const auto group = count_of(c, "GROUP");
    Plan plan = in_to_out(c, pitch_of(c) * c.shape[1], c.shape[1]);
    plan.steps = {Launch{kernel,
                         in_a_row(c.shape[1], group),
                         {BufferIndex{0}, BufferIndex{1}, c.shape[0], pitch_of(c)}}};
    return plan;
}

/// Integers, or halves of them for types that support these, so small that the sum of a row is
/// exact in any type; after the row's end, numbers that would change it.
std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const std::uint64_t width = c.shape[0], pitch = pitch_of(c);
    std::vector<HostArray> arrays;
    arrays.emplace_back(c.type, pitch * c.shape[1]);
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        const std::span<T> all = arrays[0].as<T>();
        const auto divisor = static_cast<T>(is_floating(c.type) ? 2 : 1);
        for_chunks(
            c.shape[1],
            [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
                for (std::uint64_t row = begin; row < end; ++row) {
                    for (std::uint64_t i = 0; i < width; ++i) {
                        const std::uint64_t place = row * width + i;
                        all[row * pitch + i] =
                            pattern.exact ? static_cast<T>(1 + (place + seed) % 7)
                                          : static_cast<T>(small_integer(seed, place)) / divisor;
                    }
                    std::ranges::fill(all.subspan(row * pitch + width, pitch - width), T{1000003});
                }
            },
            divide_up(1 << 15, pitch));
    });
    return arrays;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const std::uint64_t width = c.shape[0], pitch = pitch_of(c);
    HostArray out(c.type, c.shape[1]);
    visit_type(c.type, [&](auto zero) {
        using T = decltype(zero);
        const auto from = in[0].as<T>();
        fill_by_index(out.as<T>(), [&](std::uint64_t row) {
            double sum = 0;
            for (std::uint64_t i = 0; i < width; ++i) {
                sum += static_cast<double>(from[row * pitch + i]);
            }
            return static_cast<T>(sum);
        });
    });
    return one_answer(std::move(out));
}

std::string refuse(const Case& c) {
    const std::int64_t pitch = c["PITCH"];
    if ((pitch & (pitch - 1)) != 0) return "PITCH must be a power of two.";
    if (c.shape[0] > 1 << 21) {
        return "Rows of more than 2097152 elements: their sums would not be exact.";
    }
    return refuse_alignment(c);
}

Variant variant(const char* name, const char* kernel, const char* description, bool pitched) {
    return {.name = name,
            .description = description,
            .plan = [=](const Case& c) { return plan(c, kernel); },
            .problem = pitched ? "pitched" : ""};
}

}  // namespace

Suite suite() {
    return {
        .name = "pitched_rows",
        .question = "What is it worth that every row begins at a boundary?",
        .source = "pitched_rows.cl",
        .dimensions = {"width", "height"},
        .types = {ElementType::f32, ElementType::f64, ElementType::i32},
        .constants =
            {
                {"GROUP", 128, 1, 1024, "work-items of a group"},
                argument({"PITCH",
                          512,
                          32,
                          4096,
                          "bytes that every row begins at a multiple of (pitched...)",
                          {},
                          true}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                variant("packed", "single", "rows follow each other: most begin out of step",
                        false),
                variant("packed_four", "four_anywhere",
                        "four elements a load, from addresses that are aligned for one", false),
                variant("pitched", "single", "every row begins at a boundary", true),
                variant("pitched_four", "four_aligned",
                        "four elements a wide load: what the boundary makes possible", true),
            },
        .shapes = {{{1021, 256}}, {{1021, 4096}}, {{1021, 65536}}, {{4099, 65536}}},
        .check_shapes = {{{1, 1}}, {{3, 5}}, {{127, 3}}, {{129, 2}}, {{515, 7}}},
        .opt_in = {"packed_four", "pitched"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::exact(); },
        // The data that must be read, without padding.
        .work =
            [](const Case& c) {
                const auto elements = static_cast<double>(c.shape[0] * c.shape[1]);
                return moving(c, elements + static_cast<double>(c.shape[1]), elements);
            },
        .refuse = refuse,
    };
}

}  // namespace parallax::pitched_rows_suite
