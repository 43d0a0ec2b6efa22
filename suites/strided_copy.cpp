// A copy, and the cost of misaligned and strided access. After the offset and stride experiments of
// NVIDIA's "OpenCL Best Practices Guide" (2009) and of tuning guides of that time.
#include <numeric>

#include "suites/parts.hpp"

namespace parallax::strided_copy_suite {
namespace {

/// The parameters of one launch: work-groups in x and y, and arguments after in, out and n.
struct Way {
    const char* kernel;
    std::uint64_t items_x, groups_y;
    std::vector<LaunchArgument> more;
};

Plan plan(const Case& c, Way way) {
    const auto group = count_of(c, "GROUP");
    Plan plan = in_to_out(c);
    Launch launch{way.kernel,
                  {{divide_up(way.items_x, group), way.groups_y, 1}, {group, 1, 1}},
                  {BufferIndex{0}, BufferIndex{1}, c.shape[0]}};
    launch.arguments.insert(launch.arguments.end(), way.more.begin(), way.more.end());
    plan.steps.push_back(std::move(launch));
    return plan;
}

Plan copy(const Case& c) {
    return plan(c, {"copy", c.shape[0], 1, {}});
}

Plan copy4(const Case& c) {
    return plan(c, {"copy4", c.shape[0] / 4 + c.shape[0] % 4, 1, {}});
}

/// Without a kernel.
Plan by_runtime(const Case& c) {
    Plan plan = copy(c);
    plan.steps = {CopyBuffer{{0}, {1}}};
    return plan;
}

Plan strided(const Case& c) {
    const auto stride = static_cast<std::uint32_t>(c["STRIDE"]);
    return plan(c, {"strided", divide_up(c.shape[0], stride), stride, {stride}});
}

Plan shifted(const Case& c) {
    return plan(c, {"shifted", c.shape[0], 1, {static_cast<std::uint32_t>(c["OFFSET"])}});
}

std::vector<Expected> reference(const Case&, const std::vector<HostArray>& in) {
    return one_answer(in[0].copy());
}

std::vector<std::int64_t> range(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(last - first + 1));
    std::iota(values.begin(), values.end(), first);
    return values;
}

std::string refuse(const Case& c) {
    if (count_of(c, "OFFSET") > c.shape[0]) {
        return "OFFSET must not be more than the number of elements.";
    }
    return {};
}

}  // namespace

Suite suite() {
    return {
        .name = "strided_copy",
        .question = "What does it cost to touch memory out of step?",
        .source = "strided_copy.cl",
        .dimensions = {"n"},
        .types = {ElementType::f32, ElementType::f64, ElementType::i32},
        .constants =
            {
                searched({"GROUP", 256, 1, 1024, "work-items of a group"}, group_sizes),
                argument(
                    {"STRIDE", 2, 1, 1024, "elements from one item's to the next one's (strided)"}),
                argument({"OFFSET", 1, 0, 1024,
                          "elements from the start of the array to the first item's (offset)"}),
            },
        .variants =
            {
                {.name = "copy",
                 .description = "one element an item: what a copy kernel reaches",
                 .plan = copy},
                {.name = "copy4",
                 .description = "four elements an item, in one wide load and store",
                 .plan = copy4},
                {.name = "runtime",
                 .description = "the API's own copy from buffer to buffer, without a kernel",
                 .plan = by_runtime},
                {.name = "strided",
                 .description =
                     "neighbours touch elements a stride apart: most of each transaction is wasted",
                 .plan = strided,
                 .sweep = {"STRIDE", {1, 2, 4, 8, 16, 32}, range(1, 32)}},
                {.name = "offset",
                 .description =
                     "neighbours touch neighbours, but not from the start of a transaction",
                 .plan = shifted,
                 .sweep = {"OFFSET", {0, 1, 2, 4, 8, 16, 32}, range(0, 32)}},
            },
        .shapes = powers_of_two({20, 22, 24, 25, 27}),
        .check_shapes = {{{1}}, {{3}}, {{5}}, {{255}}, {{257}}, {{1023}}, {{4099}}},
        .edge_cases = {any_bits()},
        .opt_in = {"copy4", "runtime"},
        .inputs = moved_line,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        .work = [](const Case& c) { return moving(c, 2 * length(c)); },
        .refuse = refuse,
    };
}

}  // namespace parallax::strided_copy_suite
