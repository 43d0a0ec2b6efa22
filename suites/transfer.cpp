// Transfers between host and device, from each kind of host memory. After the advice on transfers
// in NVIDIA's "OpenCL Programming for the CUDA Architecture" (2009).
#include <algorithm>

#include "suites/parts.hpp"

namespace parallax::transfer_suite {
namespace {

constexpr std::uint64_t group = 256;

std::uint64_t bytes_of(const Case& c) {
    return c.shape[0] * size_of(c.type);
}

/// A source with the inputs and a target for them.
Plan there(const Case& c, Placement from, Placement to) {
    Plan plan;
    plan.buffers = {{"source", Role::input, c.type, c.shape[0], from},
                    {"target", Role::output, c.type, c.shape[0], to}};
    return plan;
}

Plan in_one(const Case& c, Placement from, Placement to) {
    Plan plan = there(c, from, to);
    plan.steps = {CopyBuffer{{0}, {1}}};
    return plan;
}

Plan in_pieces(const Case& c, Placement from, Placement to) {
    Plan plan = there(c, from, to);
    const std::uint64_t pieces = std::min(count_of(c, "PIECES"), c.shape[0]);
    const std::uint64_t piece = divide_up(c.shape[0], pieces) * size_of(c.type);
    for (std::uint64_t at = 0; at < bytes_of(c); at += piece) {
        plan.steps.push_back(CopyBuffer{{0}, {1}, at, at, std::min(piece, bytes_of(c) - at)});
    }
    return plan;
}

Plan by_kernel(const Case& c, Placement from, Placement to) {
    Plan plan = there(c, from, to);
    plan.steps = {Launch{
        "copy_words", covering(c.shape[0], group), {BufferIndex{0}, BufferIndex{1}, c.shape[0]}}};
    return plan;
}

/// Equal amounts to and from the device, in two queues or one after the other.
Plan both_ways(const Case& c, unsigned second_queue) {
    Plan plan = there(c, Placement::page_locked, Placement::device);
    plan.buffers.push_back({"device's source", Role::input, c.type, c.shape[0]});
    plan.buffers.push_back(
        {"host's target", Role::output, c.type, c.shape[0], Placement::page_locked});
    plan.steps = {CopyBuffer{{0}, {1}}, {CopyBuffer{{2}, {3}}, second_queue}};
    return plan;
}

bool goes_both_ways(const Case& c) {
    return c.variant->problem == "both";
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    std::vector<HostArray> arrays = moved_inputs(c, c.shape[0], pattern, seed);
    if (goes_both_ways(c)) {
        arrays.push_back(std::move(moved_inputs(c, c.shape[0], pattern, seed + 1).front()));
    }
    return arrays;
}

std::vector<Expected> reference(const Case&, const std::vector<HostArray>& in) {
    std::vector<Expected> expected;
    for (const HostArray& array : in) expected.emplace_back().values = array.copy();
    return expected;
}

template <class Make>
Variant variant(const char* name, const char* description, Make make, Placement from,
                Placement to) {
    return {.name = name, .description = description, .plan = [=](const Case& c) {
                return make(c, from, to);
            }};
}

std::vector<Variant> variants() {
    using enum Placement;
    std::vector<Variant> list{
        variant("to_device", "from ordinary memory: the driver stages it through its own", in_one,
                pageable, device),
        variant("to_device_locked", "from page-locked memory: the device fetches it by itself",
                in_one, page_locked, device),
        variant("to_device_combined", "from write-combined memory, which the host does not cache",
                in_one, write_combined, device),
        variant("to_device_in_pieces", "many small transfers for one large: each has its price",
                in_pieces, page_locked, device),
        variant("to_device_by_kernel", "a kernel reads mapped memory: zero copy", by_kernel, mapped,
                device),
        variant("from_device", "into ordinary memory", in_one, device, pageable),
        variant("from_device_locked", "into page-locked memory", in_one, device, page_locked),
        variant("from_device_in_pieces", "many small transfers for one large", in_pieces, device,
                page_locked),
        variant("from_device_by_kernel", "a kernel writes mapped memory: zero copy", by_kernel,
                device, mapped),
        {.name = "both_in_turn",
         .description = "to the device, then from it, in one queue",
         .plan = [](const Case& c) { return both_ways(c, 0); },
         .problem = "both"},
        {.name = "both_at_once",
         .description =
             "to the device and from it in two queues: does the link go both ways at once?",
         .plan = [](const Case& c) { return both_ways(c, 1); },
         .problem = "both"},
    };
    return list;
}

}  // namespace

Suite suite() {
    return {
        .name = "transfer",
        .question = "What does it cost to reach the device, from which memory, in which pieces?",
        .source = "transfer.cl",
        .dimensions = {"n"},
        .types = {ElementType::i32},
        .constants = {argument(
            {"PIECES", 256, 1, 65536, "transfers that a whole is cut into (..._in_pieces)"})},
        .variants = variants(),
        .shapes = powers_of_two({0, 8, 12, 16, 20, 22, 24, 26, 28}),
        .check_shapes = {{{1}}, {{2}}, {{255}}, {{257}}, {{4099}}},
        .opt_in = {"both_at_once", "to_device_combined", "to_device_in_pieces",
                   "to_device_by_kernel", "from_device", "from_device_in_pieces",
                   "from_device_by_kernel", "both_in_turn"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        // The traffic of the link, not of the memories on both sides.
        .work =
            [](const Case& c) {
                return Work{.bytes =
                                static_cast<double>(bytes_of(c)) * (goes_both_ways(c) ? 2 : 1)};
            },
    };
}

}  // namespace parallax::transfer_suite
