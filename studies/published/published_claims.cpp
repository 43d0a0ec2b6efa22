// What the documents state of orders and factors.
#include <algorithm>
#include <initializer_list>
#include <iterator>

#include <fmt/format.h>

#include "studies/published/documents.hpp"

namespace parallax {
namespace {

using namespace documents;
using VariantNames = std::initializer_list<std::string_view>;

struct Claims {
    std::vector<Claim> list;

    void add(std::string_view row, std::string name, std::string_view says,
             std::vector<PublishedStep> steps, const Publication* document,
             std::string_view figure = {}) {
        list.push_back({row, std::move(name), says, std::move(steps), document, figure});
    }
};

/// One variant after the other, each compared with the one before; all under `circumstances`.
std::vector<PublishedStep> chain(std::string_view suite, VariantNames variants,
                                 std::string_view circumstances = "") {
    std::vector<PublishedStep> steps;
    std::string before;
    for (const std::string_view variant : variants) {
        std::string now = fmt::format("{}/{}{}", suite, variant, circumstances);
        if (!before.empty()) steps.push_back({before, now});
        before = std::move(now);
    }
    return steps;
}

/// The chain, and at its end the way from the first to the last.
std::vector<PublishedStep> with_whole(std::vector<PublishedStep> steps) {
    steps.push_back({steps.front().slow, steps.back().fast});
    return steps;
}

/// Cases that are shown and compared with nothing.
std::vector<PublishedStep> alone(std::string_view suite, VariantNames variants) {
    std::vector<PublishedStep> steps;
    for (const std::string_view one : variants)
        steps.push_back({"", fmt::format("{}/{}", suite, one)});
    return steps;
}

PublishedStep step(std::string_view suite, std::string_view slow, std::string_view fast,
                   std::string_view stated = "faster", std::optional<double> factor = {}) {
    return {fmt::format("{}/{}", suite, slow), fmt::format("{}/{}", suite, fast), stated, factor};
}

constexpr std::string_view rungs[]{"plain",     "strip_of_c",  "two_rows",
                                   "four_rows", "two_columns", "four_columns"};

std::string rung(std::string_view variant, int group, int transfers = 0) {
    return fmt::format("multiply_ladder/{} GROUP={} TRANSFERS={} 4096x4096x4096", variant, group,
                       transfers);
}

/// From version 3 on, no figure was published for groups of 256.
bool was_published(std::string_view variant, int group) {
    return group < 256 || variant == "plain" || variant == "strip_of_c";
}

void of_the_ladder(Claims& all) {
    std::vector<PublishedStep> sizes, overall;
    for (const int group : {32, 64, 128, 256}) {
        std::vector<PublishedStep> steps;
        for (std::size_t i = 0; i < std::size(rungs); ++i) {
            if (!was_published(rungs[i], group)) continue;
            overall.push_back({"", rung(rungs[i], group, 1)});
            if (i > 0) steps.push_back({rung(rungs[i - 1], group), rung(rungs[i], group)});
        }
        all.add("multiply_ladder", fmt::format("ladder, groups of {}", group),
                group == 32    ? "A strip in local memory gains, two values of i gain again, four "
                                 "gain nothing more, every doubling of the values of j gains again."
                : group == 256 ? "A strip in local memory gains."
                               : "A strip in local memory gains, more values of i gain nothing, "
                                 "every doubling of the values of j gains again.",
                std::move(steps), &introduction, "kernel only");
    }
    for (const std::string_view variant : rungs) {
        for (int group = 64; group <= 256 && was_published(variant, group); group *= 2) {
            sizes.push_back({rung(variant, group / 2), rung(variant, group)});
        }
    }
    all.add("multiply_ladder", "ladder, sizes of groups",
            "Beyond one warp a group, versions with a strip in local memory gain up to a half; "
            "beyond two warps hardly any gains more.",
            std::move(sizes), &introduction, "kernel only");
    all.add("multiply_ladder", "ladder, with transfers",
            "Counted with the transfers, each version is somewhat slower.", std::move(overall),
            &introduction, "overall");
}

void of_kernels(Claims& all) {
    std::vector<PublishedStep> six{{"matvec/row_per_item GROUP=512 1100x100000",
                                    "matvec/rows_strided GROUP=512 GROUPS=60 1100x100000"}};
    constexpr std::string_view looping = " GROUP=512 GROUPS=60 1100x100000";
    std::ranges::move(
        chain("matvec",
              {"rows_strided", "group_serial", "tree_interleaved", "tree_sequential", "warp"},
              looping),
        std::back_inserter(six));
    std::vector<PublishedStep> trees =
        chain("matvec", {"tree_interleaved", "tree_sequential", "warp"}, looping);
    trees.push_back(step("reduction", "interleaved", "sequential"));
    trees.push_back(step("reduction", "sequential", "warp"));
    all.add(
        "matvec", "six kernels",
        "Each of the six kernels is at least as fast as the one before it; coalesced loads and a "
        "tree gain most.",
        with_whole(std::move(six)), &architecture);
    all.add("reduction", "trees",
            "A tree without bank conflicts is faster than one with them, and trees of warps are "
            "faster again. The factors are those of the matrix-vector product.",
            std::move(trees), &architecture);
    all.add("transpose", "transpose",
            "Coalescing through local memory gains most by far, a spare column a fifth more.",
            with_whole(chain("transpose", {"naive", "tiled", "padded"})), &optimization);
    all.add("strided_copy", "offset",
            "An offset of one element costs a large part of the bandwidth.",
            chain("strided_copy", {"offset OFFSET=1", "offset OFFSET=0"}), &optimization);
    all.add("strided_copy", "stride",
            "Accesses that do not coalesce can cost an order of magnitude.",
            {step("strided_copy", "strided STRIDE=2", "strided STRIDE=1"),
             step("strided_copy", "strided STRIDE=32", "strided STRIDE=1", "up to 10x", 10)},
            &architecture);
    all.add("strided_copy", "vectors", "Vector types are for convenience: they are no faster.",
            {step("strided_copy", "copy", "copy4", "no faster", 1),
             step("reduction", "items", "vector", "no faster", 1)},
            &optimization);
    all.add(
        "stencil1d", "stencil",
        "Local memory is a cache that the program manages: what is read often should be read from "
        "there.",
        {step("stencil1d", "global", "staged")}, &overview);
    all.add("multiply", "tiles", "Staging a gains by coalescing, staging b doubles that again.",
            with_whole(chain("multiply", {"naive", "staged_a", "staged_ab"})), &optimization);
}

void of_images(Claims& all) {
    const auto from = [](std::string_view slow, std::string_view fast) {
        return step("smoothing", slow, fast, "");
    };
    all.add("smoothing", "smoothing",
            "Local memory and padded pixels gain a lot, aligned rows a little; on newer "
            "hardware with caches the document expects local memory to be of no use.",
            {from("plain 664x1024", "staged 664x1024"), from("plain 664x1024", "padded 664x1024"),
             from("padded 664x1024", "padded_staged 664x1024"),
             from("padded 664x1024", "padded 1024x664"),
             from("padded_staged 664x1024", "padded_staged 1024x664"),
             from("padded 664x1024", "pitched 664x1024"),
             from("pitched 664x1024", "pitched_staged 664x1024")},
            &course_page);
}

void of_the_host(Claims& all) {
    all.add("transfer", "link and card",
            "The way to the device is many times narrower than its own memory.",
            {{"transfer/to_device", "ceiling/copy"}}, &optimization);
    all.add("transfer", "host memory",
            "Page-locked memory is transferred faster, write-combined memory faster again.",
            {step("transfer", "to_device", "to_device_locked"),
             step("transfer", "to_device_locked", "to_device_combined")},
            &introduction);
    all.add("transfer", "pieces", "One large transfer is much better than many small ones.",
            {step("transfer", "to_device_in_pieces", "to_device_locked"),
             step("transfer", "from_device_in_pieces", "from_device_locked")},
            &optimization);
    all.add("overlap", "overlap", "With two queues, copies and kernels overlap.",
            {step("overlap", "one_queue", "two_queues")}, &introduction);
    all.add("overlap", "small kernels", "Small kernels run side by side, where the device can.",
            {step("concurrency", "in_turn", "side_by_side")}, &introduction);
    all.add("zero_copy", "zero copy",
            "A kernel can read mapped host memory: an exercise, without a figure.",
            alone("zero_copy", {"copied", "mapped", "mapped_in", "mapped_out"}), &introduction);
    all.add("configuration", "size of groups",
            "64 work-items are the least, more are usually 1.2 to 1.5 times as fast.",
            {step("reduction", "items GROUP=64", "items GROUP=256", "1.2x to 1.5x", 1.2)},
            &overview);
    all.add("configuration", "number of groups", "Every multiprocessor needs several groups.",
            {step("matvec", "tree_sequential GROUP=512 GROUPS=60 1100x100000",
                  "tree_sequential GROUP=512 GROUPS=1056 1100x100000")},
            &optimization);
}

void of_instructions(Claims& all) {
    constexpr std::string_view half_warp = "16x: a half-warp, one after the other";
    all.add(
        "memory_spaces", "constant memory",
        "Constant memory is fast where all items read one address; different addresses are read "
        "one after the other.",
        {step("constant_memory", "constant_data SPREAD=1", "constant_data SPREAD=0", half_warp,
              16)},
        &introduction);
    all.add(
        "memory_spaces", "bank conflicts",
        "Accesses to one bank are served one after the other: strides that banks divide cost, odd "
        "ones do not.",
        {step("bank_conflicts", "strided STRIDE=2", "strided STRIDE=1", "2x", 2),
         step("bank_conflicts", "strided STRIDE=32", "strided STRIDE=1", half_warp, 16),
         step("bank_conflicts", "strided STRIDE=1", "strided STRIDE=33", "no slower", 1)},
        &course_page);
    all.add("memory_spaces", "images",
            "Images are fastest where the items of a warp read near each other in two dimensions.",
            {step("images", "image_scattered", "image_tiles")}, &introduction);
    all.add("memory_spaces", "pitched rows", "Rows should begin at aligned addresses.",
            {step("pitched_rows", "packed", "pitched")}, &introduction);
    all.add(
        "instructions", "native functions",
        "Native functions can be faster by orders of magnitude, and relaxed arithmetic lets the "
        "compiler do much.",
        {step("functions", "precise FUNCTION=0", "native FUNCTION=0", "10x and more", 10),
         step("functions", "precise FUNCTION=0", "relaxed FUNCTION=0")},
        &architecture);
    all.add("instructions", "division",
            "Integer division and modulo are expensive; shifts and masks are not.",
            {step("integers", "divide", "shift"), step("integers", "modulo", "mask")},
            &architecture);
    all.add("instructions", "24 bits",
            "Products of 24 bits are faster on the first devices, and slower on the next ones.",
            {step("integers", "multiply", "mul24", "faster on 1.x")}, &course_page);
    all.add("instructions", "stray double", "Constants of double among floats are to be avoided.",
            {step("conversions", "stray_double", "float_only")}, &optimization);
    all.add("instructions", "divergence",
            "Paths within a warp are walked one after the other; warps that differ cost nothing.",
            {step("divergence", "lanes PATHS=2", "lanes PATHS=1", "2x", 2),
             step("divergence", "lanes PATHS=32", "lanes PATHS=1", "32x", 32),
             step("divergence", "uniform PATHS=1", "uniform PATHS=32", "no slower", 1)},
            &optimization);
    all.add("sphere", "sphere",
            "Random numbers must be made on the device: an exercise, without a figure.",
            alone("sphere", {"count_tree", "count_global", "stream"}), &introduction);
    all.add("clock", "theoretical", "A bandwidth that is reached is less than the theoretical one.",
            alone("ceiling", {"copy"}), &introduction, "theoretical");
}

}  // namespace

bool Claim::compares() const {
    return std::ranges::any_of(steps, [](const PublishedStep& s) { return !s.slow.empty(); });
}

const std::vector<Claim>& claims() {
    static const std::vector<Claim> all = [] {
        Claims made;
        for (auto* add : {of_kernels, of_the_ladder, of_images, of_the_host, of_instructions}) {
            add(made);
        }
        return made.list;
    }();
    return all;
}

}  // namespace parallax
