// Many kernels that are too small for a device: one after the other, and concurrently. A device of
// 2009 ran one kernel at a time; events connected several queues, as here.
#include <fmt/format.h>

#include "suites/parts.hpp"

namespace parallax::concurrency_suite {
namespace {

constexpr unsigned queues = 8;

/// One kernel of one work-group for each GROUP words, in the queue that `queue` returns.
template <class Queue>
Plan small_kernels(const Case& c, Queue queue) {
    const auto group = count_of(c, "GROUP");
    Plan plan = in_to_out(c);
    const std::uint64_t kernels = divide_up(c.shape[0], group);
    for (std::uint64_t k = 0; k < kernels; ++k) {
        plan.steps.emplace_back(Launch{"small_work",
                                       in_a_row(1, group),
                                       {BufferIndex{0}, BufferIndex{1}, k * group, c.shape[0],
                                        turning_factor, turning_addend}},
                                queue(k));
    }
    return plan;
}

/// The same work as one kernel with many work-groups.
Plan one_kernel(const Case& c) {
    const auto group = count_of(c, "GROUP");
    Plan plan = small_kernels(c, [](std::uint64_t) { return 0u; });
    Launch launch = *plan.steps.front().launch();
    launch.geometry.groups.x = divide_up(c.shape[0], group);
    plan.steps = {std::move(launch)};
    return plan;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    return one_answer(turned(c, in[0]));
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
        .shapes = powers_of_two({10, 12, 14}),
        .check_shapes = {{{1}}, {{127}}, {{129}}, {{1031}}},
        .opt_in = {"unordered", "one_kernel"},
        .inputs = moved_line,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        .work =
            [](const Case& c) {
                return moving(c, 2 * length(c), 2 * length(c) * times(c, "ROUNDS"));
            },
        .conclude = conclude,
    };
}

}  // namespace parallax::concurrency_suite
