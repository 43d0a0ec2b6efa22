// A copy, and the cost of misaligned and strided access. After the offset and stride experiments of
// NVIDIA's "OpenCL Best Practices Guide" (2009) and of tuning guides of that time.
#include <numeric>

#include "suites/moved.hpp"

namespace parallax::strided_copy_suite {
namespace {

/// The parameters of one launch: work-groups in x and y, and arguments after in, out and n.
struct Way {
    const char* kernel;
    std::uint64_t items_x, groups_y;
    std::vector<LaunchArgument> more;
};

Plan plan(const Case& c, Way way) {
    const auto group = static_cast<std::uint64_t>(c["GROUP"]);
    Plan plan;
    plan.buffers = {{"in", Role::input, c.type, c.shape[0]},
                    {"out", Role::output, c.type, c.shape[0]}};
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

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    return moved_inputs(c, c.shape[0], pattern, seed);
}

std::vector<Expected> reference(const Case&, const std::vector<HostArray>& in) {
    std::vector<Expected> expected(1);
    expected[0].values = in[0].copy();
    return expected;
}

std::vector<std::int64_t> range(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(last - first + 1));
    std::iota(values.begin(), values.end(), first);
    return values;
}

std::string refuse(const Case& c) {
    if (static_cast<std::uint64_t>(c["OFFSET"]) > c.shape[0]) {
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
                {.name = "STRIDE",
                 .value = 2,
                 .least = 1,
                 .most = 1024,
                 .meaning = "elements from one item's to the next one's (strided)",
                 .is_argument = true},
                {.name = "OFFSET",
                 .value = 1,
                 .least = 0,
                 .most = 1024,
                 .meaning = "elements from the start of the array to the first item's (offset)",
                 .is_argument = true},
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
        .shapes = {{{1u << 20}}, {{1u << 22}}, {{1u << 24}}, {{1u << 25}}, {{1u << 27}}},
        .check_shapes = {{{1}}, {{3}}, {{5}}, {{255}}, {{257}}, {{1023}}, {{4099}}},
        .edge_cases = {any_bits()},
        .opt_in = {"copy4", "runtime"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        .work =
            [](const Case& c) {
                return Work{.bytes = 2.0 * static_cast<double>(c.shape[0] * size_of(c.type))};
            },
        .refuse = refuse,
    };
}

}  // namespace parallax::strided_copy_suite
