// Transfers that overlap with kernels: everything in one piece, and in pieces over several queues.
// After the advice on overlapping transfers in NVIDIA's "OpenCL Programming for the CUDA
// Architecture" (2009).
#include <algorithm>

#include <fmt/format.h>

#include "suites/parts.hpp"

namespace parallax::overlap_suite {
namespace {

constexpr std::uint64_t group = 256;

/// Start and length of a piece, in elements.
struct Piece {
    std::uint64_t first, count;
};

std::vector<Piece> pieces_of(const Case& c) {
    const std::uint64_t n = c.shape[0];
    const std::uint64_t each = divide_up(n, std::min(count_of(c, "PIECES"), n));
    std::vector<Piece> pieces;
    for (std::uint64_t at = 0; at < n; at += each) {
        pieces.push_back({at, std::min(each, n - at)});
    }
    return pieces;
}

/// Buffers 0 and 1: the host's input and output; then `pairs` pairs of device buffers with `count`
/// elements each.
Plan buffers(const Case& c, Placement host, std::uint64_t pairs, std::uint64_t count) {
    Plan plan = in_to_out(c, host, host);
    for (std::uint64_t i = 0; i < pairs; ++i) {
        plan.buffers.push_back({fmt::format("device's in {}", i), Role::scratch, c.type, count});
        plan.buffers.push_back({fmt::format("device's out {}", i), Role::scratch, c.type, count});
    }
    return plan;
}

Launch turn(std::size_t in, std::size_t out, std::uint64_t count) {
    return {"turn",
            covering(count, group),
            {BufferIndex{in}, BufferIndex{out}, count, turning_factor, turning_addend}};
}

CopyBuffer up(const Case& c, const Piece& piece, std::size_t to) {
    const std::size_t size = size_of(c.type);
    return {{0}, {to}, piece.first * size, 0, piece.count * size};
}

CopyBuffer down(const Case& c, const Piece& piece, std::size_t from) {
    const std::size_t size = size_of(c.type);
    return {{from}, {1}, 0, piece.first * size, piece.count * size};
}

Plan whole(const Case& c) {
    const Piece all{0, c.shape[0]};
    Plan plan = buffers(c, Placement::page_locked, 1, all.count);
    plan.steps = {up(c, all, 2), turn(2, 3, all.count), down(c, all, 3)};
    return plan;
}

/// Pieces assigned round-robin to `queues` queues with buffers of their own: while one queue's
/// kernel computes, another's transfer runs.
Plan by_piece(const Case& c, Placement host, unsigned queues) {
    const std::vector<Piece> pieces = pieces_of(c);
    Plan plan = buffers(c, host, queues, pieces.front().count);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto queue = static_cast<unsigned>(i % queues);
        const std::size_t in = 2 + 2 * queue, out = in + 1;
        plan.steps.emplace_back(up(c, pieces[i], in), queue);
        plan.steps.emplace_back(turn(in, out, pieces[i].count), queue);
        plan.steps.emplace_back(down(c, pieces[i], out), queue);
    }
    return plan;
}

/// The same steps ordered only by their dependencies: by default with queues for copies there,
/// kernels and copies back; or all in the unordered queue.
Plan by_dependency(const Case& c, bool unordered) {
    const std::vector<Piece> pieces = pieces_of(c);
    constexpr std::size_t pairs = 2, steps_of_piece = 3;
    Plan plan = buffers(c, Placement::page_locked, pairs, pieces.front().count);
    const auto queue = [&](unsigned own) { return unordered ? unordered_queue : own; };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::size_t in = 2 + 2 * (i % pairs), out = in + 1;
        const std::size_t here = steps_of_piece * i;
        // The buffers belong to the piece two before: its kernel has read one, its copy back the
        // other.
        std::vector<std::size_t> in_is_free, out_is_full{here};
        if (i >= pairs) {
            in_is_free.push_back(here - steps_of_piece * pairs + 1);
            out_is_full.push_back(here - steps_of_piece * pairs + 2);
        }
        plan.steps.emplace_back(up(c, pieces[i], in), queue(0), in_is_free);
        plan.steps.emplace_back(turn(in, out, pieces[i].count), queue(1), out_is_full);
        plan.steps.emplace_back(down(c, pieces[i], out), queue(2),
                                std::vector<std::size_t>{here + 1});
    }
    return plan;
}

/// Only one of the three parts.
Plan upload_alone(const Case& c) {
    Plan plan;
    plan.buffers = {{"in", Role::input, c.type, c.shape[0], Placement::page_locked},
                    {"device's in", Role::output, c.type, c.shape[0]}};
    plan.steps = {CopyBuffer{{0}, {1}}};
    return plan;
}

Plan kernel_alone(const Case& c) {
    Plan plan;
    plan.buffers = {{"device's in", Role::input, c.type, c.shape[0]},
                    {"device's out", Role::output, c.type, c.shape[0]}};
    plan.steps = {turn(0, 1, c.shape[0])};
    return plan;
}

Plan download_alone(const Case& c) {
    Plan plan;
    plan.buffers = {{"device's out", Role::input, c.type, c.shape[0]},
                    {"out", Role::output, c.type, c.shape[0], Placement::page_locked}};
    plan.steps = {CopyBuffer{{0}, {1}}};
    return plan;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    return one_answer(c.variant->problem == "copy" ? in[0].copy() : turned(c, in[0]));
}

/// The share of the best possible overlap that was achieved.
std::vector<std::string> conclude(const Seconds& seconds) {
    const auto time = [&](const char* name) {
        const auto found = seconds.find(name);
        return found == seconds.end() ? 0.0 : found->second;
    };
    const double upload = time("upload_alone"), kernel = time("kernel_alone"),
                 download = time("download_alone");
    if (upload <= 0 || kernel <= 0 || download <= 0) return {};
    const double sum = upload + kernel + download;
    const double ideal = std::max({upload, kernel, download});
    std::vector<std::string> sentences{fmt::format(
        "The parts alone take {:.3g} ms there, {:.3g} ms of kernel and {:.3g} ms back, {:.3g} ms "
        "in all; with everything at once it could be {:.3g} ms.",
        1e3 * upload, 1e3 * kernel, 1e3 * download, 1e3 * sum, 1e3 * ideal)};
    for (const char* name : {"two_queues", "four_queues", "by_events", "unordered"}) {
        if (time(name) <= 0) continue;
        const double reached = (sum - time(name)) / (sum - ideal);
        sentences.push_back(
            reached < 0 ? fmt::format("{} takes longer than the parts one after the other.", name)
                        : fmt::format("{} saves {:.0f} % of that.", name, 100 * reached));
    }
    return sentences;
}

}  // namespace

Suite suite() {
    return {
        .name = "overlap",
        .question = "How much of a copy can be hidden behind a kernel?",
        .source = "overlap.cl",
        .dimensions = {"n"},
        .types = {ElementType::i32},
        .constants =
            {
                {"ROUNDS", 512, 1, 65536, "steps of work a word", {}, true},
                argument({"PIECES", 8, 1, 1024, "pieces that the whole is cut into"}),
            },
        .variants =
            {
                {.name = "whole",
                 .description = "all there, one kernel, all back: nothing overlaps",
                 .plan = whole},
                {.name = "one_queue",
                 .description =
                     "the same in pieces, in one queue: an order leaves nothing to overlap",
                 .plan = [](const Case& c) { return by_piece(c, Placement::page_locked, 1); }},
                {.name = "two_queues",
                 .description = "double buffering: pieces alternately in two queues",
                 .plan = [](const Case& c) { return by_piece(c, Placement::page_locked, 2); }},
                {.name = "four_queues",
                 .description = "four queues: there, kernel and back may all be under way",
                 .plan = [](const Case& c) { return by_piece(c, Placement::page_locked, 4); }},
                {.name = "pageable",
                 .description = "two queues, but ordinary memory: the driver must copy it first",
                 .plan = [](const Case& c) { return by_piece(c, Placement::pageable, 2); }},
                {.name = "by_events",
                 .description =
                     "a queue each for copies there, kernels and copies back, tied by events",
                 .plan = [](const Case& c) { return by_dependency(c, false); }},
                {.name = "unordered",
                 .description = "one out-of-order queue: events alone say what must wait",
                 .plan = [](const Case& c) { return by_dependency(c, true); }},
                {.name = "upload_alone",
                 .description = "the copies there, for comparison",
                 .plan = upload_alone,
                 .problem = "copy"},
                {.name = "kernel_alone",
                 .description = "the kernel, for comparison",
                 .plan = kernel_alone},
                {.name = "download_alone",
                 .description = "the copies back, for comparison",
                 .plan = download_alone,
                 .problem = "copy"},
            },
        .shapes = powers_of_two({16, 20, 22, 24, 26}),
        .check_shapes = {{{1}}, {{7}}, {{255}}, {{4099}}},
        .opt_in = {"one_queue", "four_queues", "pageable", "by_events", "unordered", "upload_alone",
                   "kernel_alone", "download_alone"},
        .inputs = moved_line,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        .work =
            [](const Case& c) {
                if (!c.variant->problem.empty()) return moving(c, length(c));
                return moving(c, 2 * length(c), 2 * times(c, "ROUNDS") * length(c));
            },
        .conclude = conclude,
    };
}

}  // namespace parallax::overlap_suite
