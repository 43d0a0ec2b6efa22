// Many kernels that are too small for a device: one after the other, and concurrently. A device of
// 2009 ran one kernel at a time; events connected several queues, as here.
#include <algorithm>

#include <fmt/format.h>

#include "suites/lcg.hpp"
#include "suites/moved.hpp"

namespace parallax::concurrency_suite {
namespace {

constexpr unsigned queues = 8;

/// One kernel of one work-group for each GROUP words, in the queue that `queue` returns.
template <class Queue>
Plan small_kernels(const Case& c, Queue queue) {
    const auto group = static_cast<std::uint64_t>(c["GROUP"]);
    Plan plan;
    plan.buffers = {{"in", Role::input, c.type, c.shape[0]},
                    {"out", Role::output, c.type, c.shape[0]}};
    const std::uint64_t kernels = divide_up(c.shape[0], group);
    for (std::uint64_t k = 0; k < kernels; ++k) {
        plan.steps.emplace_back(Launch{"small_work",
                                       {{1, 1, 1}, {group, 1, 1}},
                                       {BufferIndex{0}, BufferIndex{1}, k * group, c.shape[0],
                                        turning_factor, turning_addend}},
                                queue(k));
    }
    return plan;
}

/// The same work as one kernel with many work-groups.
Plan one_kernel(const Case& c) {
    const auto group = static_cast<std::uint64_t>(c["GROUP"]);
    Plan plan = small_kernels(c, [](std::uint64_t) { return 0u; });
    Launch launch = *plan.steps.front().launch();
    launch.geometry.groups.x = divide_up(c.shape[0], group);
    plan.steps = {std::move(launch)};
    return plan;
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    return moved_inputs(c, c.shape[0], pattern, seed);
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    std::vector<Expected> expected(1);
    expected[0].values = turned(c, in[0]);
    return expected;
}

std::vector<std::string> conclude(const Seconds& seconds) {
    const auto in_turn = seconds.find("in_turn");
    if (in_turn == seconds.end()) return {};
    std::vector<std::string> sentences;
    for (const char* name : {"side_by_side", "unordered", "one_kernel"}) {
        const auto found = seconds.find(name);
        if (found == seconds.end()) continue;
        sentences.push_back(fmt::format("{} is {:.3g} times as fast as one after the other.", name,
                                        in_turn->second / found->second));
    }
    return sentences;
}

}  // namespace

Suite suite() {
    return {
        .name = "concurrency",
        .question = "Do small kernels run side by side?",
        .source = "concurrency.cl",
        .dimensions = {"n"},
        .types = {ElementType::i32},
        .constants = {{"GROUP", 128, 1, 1024, "work-items of a kernel's one group"},
                      {"ROUNDS", 4096, 1, 1 << 20, "steps of work a word", {}, true}},
        .variants =
            {
                {.name = "in_turn",
                 .description = "one queue: each waits for the one before",
                 .plan =
                     [](const Case& c) {
                         return small_kernels(c, [](std::uint64_t) { return 0u; });
                     }},
                {.name = "side_by_side",
                 .description = "eight queues: as many may run at the same time",
                 .plan =
                     [](const Case& c) {
                         return small_kernels(
                             c, [](std::uint64_t k) { return static_cast<unsigned>(k % queues); });
                     }},
                {.name = "unordered",
                 .description = "one out-of-order queue: none has to wait for another",
                 .plan =
                     [](const Case& c) {
                         return small_kernels(c, [](std::uint64_t) { return unordered_queue; });
                     }},
                {.name = "one_kernel",
                 .description = "all of it as the groups of one kernel: what a device is made for",
                 .plan = one_kernel},
            },
        .shapes = {{{1u << 10}}, {{1u << 12}}, {{1u << 14}}},
        .check_shapes = {{{1}}, {{127}}, {{129}}, {{1031}}},
        .edge_cases = {},
        .opt_in = {"unordered", "one_kernel"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        .work =
            [](const Case& c) {
                const auto n = static_cast<double>(c.shape[0]);
                return Work{.bytes = 2 * n * static_cast<double>(size_of(c.type)),
                            .operations = 2 * n * static_cast<double>(c["ROUNDS"])};
            },
        .conclude = conclude,
    };
}

}  // namespace parallax::concurrency_suite
