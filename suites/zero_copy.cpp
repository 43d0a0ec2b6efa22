// Host memory that a kernel accesses directly, compared with copies there and back.
#include "suites/parts.hpp"

namespace parallax::zero_copy_suite {
namespace {

Launch gather(const Case& c, std::size_t in, std::size_t out) {
    const auto group = count_of(c, "GROUP");
    return {"gather", covering(c.shape[0], group), {BufferIndex{in}, BufferIndex{out}, c.shape[0]}};
}

/// The host's input and output, of these kinds; copies where kernels cannot access them.
Plan plan(const Case& c, Placement in, Placement out) {
    Plan plan = in_to_out(c, in, out);
    std::size_t from = 0, to = 1;
    if (!is_for_kernels(in)) {
        from = plan.buffers.size();
        plan.buffers.push_back({"device's in", Role::scratch, c.type, c.shape[0]});
        plan.steps.push_back(CopyBuffer{{0}, {from}});
    }
    if (!is_for_kernels(out)) {
        to = plan.buffers.size();
        plan.buffers.push_back({"device's out", Role::scratch, c.type, c.shape[0]});
    }
    plan.steps.push_back(gather(c, from, to));
    if (to != 1) plan.steps.push_back(CopyBuffer{{to}, {1}});
    return plan;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const std::uint64_t n = c.shape[0];
    const auto uses = count_of(c, "USES");
    HostArray out(c.type, n);
    const auto from = in[0].as<std::uint32_t>();
    fill_by_index(out.as<std::uint32_t>(), [&](std::uint64_t i) {
        std::uint32_t sum = 0;
        for (std::uint64_t u = 0; u < uses; ++u) sum = sum * 31u + from[(i + u * (n / uses)) % n];
        return sum;
    });
    return one_answer(std::move(out));
}

Variant variant(const char* name, const char* description, Placement in, Placement out) {
    return {.name = name,
            .description = description,
            .plan = [=](const Case& c) { return plan(c, in, out); },
            .sweep = {"USES", {1}, {1, 2, 4, 8}}};
}

}  // namespace

Suite suite() {
    using enum Placement;
    return {
        .name = "zero_copy",
        .question = "When is it worth to bring the host's memory near, and when to reach for it?",
        .source = "zero_copy.cl",
        .dimensions = {"n"},
        .types = {ElementType::i32},
        .constants = {{"GROUP", 256, 1, 1024, "work-items of a group"},
                      {"USES", 1, 1, 64, "times that every word of the input is read", {}, true}},
        .variants = {variant("copied", "page-locked memory, copied there and back", page_locked,
                             page_locked),
                     variant("copied_pageable", "ordinary memory, copied there and back", pageable,
                             pageable),
                     variant("mapped", "the kernel reads and writes the host's memory", mapped,
                             mapped),
                     variant("mapped_in", "reads there, its output is copied", mapped, page_locked),
                     variant("mapped_out", "its input is copied, it writes there", page_locked,
                             mapped)},
        .shapes = powers_of_two({12, 16, 20, 22, 24, 26}),
        .check_shapes = {{{1}}, {{3}}, {{257}}, {{4099}}},
        .opt_in = {"copied_pageable", "mapped_in", "mapped_out"},
        .inputs = moved_line,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        // The required traffic on the link: every word once in each direction.
        .work = [](const Case& c) { return moving(c, 2 * length(c)); },
    };
}

}  // namespace parallax::zero_copy_suite
