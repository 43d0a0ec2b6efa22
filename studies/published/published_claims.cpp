// What the documents state of orders and factors.
#include <algorithm>
#include <initializer_list>
#include <iterator>

#include <fmt/format.h>

#include "studies/published/documents.hpp"

namespace parallax {
namespace {

using namespace documents;
using Words = std::initializer_list<std::string_view>;

/// One variant after the other, each compared with the one before; all under `circumstances`.
std::vector<PublishedStep> chain(std::string_view suite, Words variants,
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
std::vector<PublishedStep> alone(std::string_view suite, Words variants) {
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

/// Of version 3 on nothing was published at groups of 256.
bool was_published(std::string_view variant, int group) {
    return group < 256 || variant == "plain" || variant == "strip_of_c";
}

std::vector<Claim> of_the_ladder() {
    std::vector<Claim> list;
    Claim sizes{.row = "multiply_ladder",
                .name = "ladder, sizes of groups",
                .says =
                    "Beyond one warp a group, versions with a strip in local memory gain up to "
                    "a half; beyond two warps hardly any gains more.",
                .steps = {},
                .document = &introduction,
                .figure = "kernel only"};
    Claim overall{.row = "multiply_ladder",
                  .name = "ladder, with transfers",
                  .says = "Counted with the transfers, each version is somewhat slower.",
                  .steps = {},
                  .document = &introduction,
                  .figure = "overall"};
    for (const int group : {32, 64, 128, 256}) {
        Claim& claim = list.emplace_back(
            Claim{.row = "multiply_ladder",
                  .name = fmt::format("ladder, groups of {}", group),
                  .says = "A strip in local memory gains, more values of i gain nothing, every "
                          "doubling of the values of j gains again.",
                  .steps = {},
                  .document = &introduction,
                  .figure = "kernel only"});
        for (std::size_t i = 0; i < std::size(rungs); ++i) {
            if (!was_published(rungs[i], group)) continue;
            overall.steps.push_back({"", rung(rungs[i], group, 1)});
            if (i > 0) claim.steps.push_back({rung(rungs[i - 1], group), rung(rungs[i], group)});
        }
    }
    for (const std::string_view variant : rungs) {
        for (int group = 64; group <= 256 && was_published(variant, group); group *= 2) {
            sizes.steps.push_back({rung(variant, group / 2), rung(variant, group)});
        }
    }
    list.push_back(std::move(sizes));
    list.push_back(std::move(overall));
    return list;
}

std::vector<Claim> of_kernels() {
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
    return {
        {.row = "matvec",
         .name = "six kernels",
         .says = "Each of the six kernels is at least as fast as the one before it; coalesced "
                 "loads and a tree gain most.",
         .steps = with_whole(std::move(six)),
         .document = &architecture},
        {.row = "reduction",
         .name = "trees",
         .says = "A tree without bank conflicts is faster than one with them, and trees of warps "
                 "are faster again. The factors are those of the matrix-vector product.",
         .steps = std::move(trees),
         .document = &architecture},
        {.row = "transpose",
         .name = "transpose",
         .says = "Coalescing through local memory gains most by far, a spare column a fifth more.",
         .steps = with_whole(chain("transpose", {"naive", "tiled", "padded"})),
         .document = &optimization},
        {.row = "strided_copy",
         .name = "offset",
         .says = "An offset of one element costs a large part of the bandwidth.",
         .steps = chain("strided_copy", {"offset OFFSET=1", "offset OFFSET=0"}),
         .document = &optimization},
        {.row = "strided_copy",
         .name = "stride",
         .says = "Accesses that do not coalesce can cost an order of magnitude.",
         .steps = {step("strided_copy", "strided STRIDE=2", "strided STRIDE=1"),
                   step("strided_copy", "strided STRIDE=32", "strided STRIDE=1", "up to 10x", 10)},
         .document = &architecture},
        {.row = "strided_copy",
         .name = "vectors",
         .says = "Vector types are for convenience: they are no faster.",
         .steps = {step("strided_copy", "copy", "copy4", "no faster", 1),
                   step("reduction", "items", "vector", "no faster", 1)},
         .document = &optimization},
        {.row = "stencil1d",
         .name = "stencil",
         .says = "Local memory is a cache that the program manages: what is read often should be "
                 "read from there.",
         .steps = {step("stencil1d", "global", "staged")},
         .document = &overview},
        {.row = "multiply",
         .name = "tiles",
         .says = "Staging a gains by coalescing, staging b doubles that again.",
         .steps = with_whole(chain("multiply", {"naive", "staged_a", "staged_ab"})),
         .document = &optimization},
    };
}

Claim smoothing() {
    const auto from = [](std::string_view slow, std::string_view fast) {
        return step("smoothing", slow, fast, "");
    };
    return {.row = "smoothing",
            .name = "smoothing",
            .says =
                "Local memory and padded pixels gain a lot, aligned rows a little; on newer "
                "hardware with caches the document expects local memory to be of no use.",
            .steps = {from("plain 664x1024", "staged 664x1024"),
                      from("plain 664x1024", "padded 664x1024"),
                      from("padded 664x1024", "padded_staged 664x1024"),
                      from("padded 664x1024", "padded 1024x664"),
                      from("padded_staged 664x1024", "padded_staged 1024x664"),
                      from("padded 664x1024", "pitched 664x1024"),
                      from("pitched 664x1024", "pitched_staged 664x1024")},
            .document = &course_page};
}

std::vector<Claim> of_the_host() {
    return {
        {.row = "transfer",
         .name = "link and card",
         .says = "The way to the device is many times narrower than its own memory.",
         .steps = {{"transfer/to_device", "ceiling/copy"}},
         .document = &optimization},
        {.row = "transfer",
         .name = "host memory",
         .says = "Page-locked memory is transferred faster, write-combined memory faster again.",
         .steps = {step("transfer", "to_device", "to_device_locked"),
                   step("transfer", "to_device_locked", "to_device_combined")},
         .document = &introduction},
        {.row = "transfer",
         .name = "pieces",
         .says = "One large transfer is much better than many small ones.",
         .steps = {step("transfer", "to_device_in_pieces", "to_device_locked"),
                   step("transfer", "from_device_in_pieces", "from_device_locked")},
         .document = &optimization},
        {.row = "overlap",
         .name = "overlap",
         .says = "With two queues, copies and kernels overlap.",
         .steps = {step("overlap", "one_queue", "two_queues")},
         .document = &introduction},
        {.row = "overlap",
         .name = "small kernels",
         .says = "Small kernels run side by side, where the device can.",
         .steps = {step("concurrency", "in_turn", "side_by_side")},
         .document = &introduction},
        {.row = "zero_copy",
         .name = "zero copy",
         .says = "A kernel can read mapped host memory: an exercise, without a figure.",
         .steps = alone("zero_copy", {"copied", "mapped", "mapped_in", "mapped_out"}),
         .document = &introduction},
        {.row = "configuration",
         .name = "size of groups",
         .says = "64 work-items are the least, more are usually 1.2 to 1.5 times as fast.",
         .steps = {step("reduction", "items GROUP=64", "items GROUP=256", "1.2x to 1.5x", 1.2)},
         .document = &overview},
        {.row = "configuration",
         .name = "number of groups",
         .says = "Every multiprocessor needs several groups.",
         .steps = {step("matvec", "tree_sequential GROUP=512 GROUPS=60 1100x100000",
                        "tree_sequential GROUP=512 GROUPS=1056 1100x100000")},
         .document = &optimization},
    };
}

std::vector<Claim> of_instructions() {
    constexpr std::string_view half_warp = "16x: a half-warp, one after the other";
    return {
        {.row = "memory_spaces",
         .name = "constant memory",
         .says = "Constant memory is fast where all items read one address; different addresses "
                 "are read one after the other.",
         .steps = {step("constant_memory", "constant_data SPREAD=1", "constant_data SPREAD=0",
                        half_warp, 16)},
         .document = &introduction},
        {.row = "memory_spaces",
         .name = "bank conflicts",
         .says = "Accesses to one bank are served one after the other: strides that banks divide "
                 "cost, odd ones do not.",
         .steps = {step("bank_conflicts", "strided STRIDE=2", "strided STRIDE=1", "2x", 2),
                   step("bank_conflicts", "strided STRIDE=32", "strided STRIDE=1", half_warp, 16),
                   step("bank_conflicts", "strided STRIDE=1", "strided STRIDE=33", "no slower", 1)},
         .document = &course_page},
        {.row = "memory_spaces",
         .name = "images",
         .says = "Images are fastest where the items of a warp read near each other in two "
                 "dimensions.",
         .steps = {step("images", "image_scattered", "image_tiles")},
         .document = &introduction},
        {.row = "memory_spaces",
         .name = "pitched rows",
         .says = "Rows should begin at aligned addresses.",
         .steps = {step("pitched_rows", "packed", "pitched")},
         .document = &introduction},
        {.row = "instructions",
         .name = "native functions",
         .says = "Native functions can be faster by orders of magnitude, and relaxed arithmetic "
                 "lets the compiler do much.",
         .steps = {step("functions", "precise FUNCTION=0", "native FUNCTION=0", "10x and more", 10),
                   step("functions", "precise FUNCTION=0", "relaxed FUNCTION=0")},
         .document = &architecture},
        {.row = "instructions",
         .name = "division",
         .says = "Integer division and modulo are expensive; shifts and masks are not.",
         .steps = {step("integers", "divide", "shift"), step("integers", "modulo", "mask")},
         .document = &architecture},
        {.row = "instructions",
         .name = "24 bits",
         .says = "Products of 24 bits are faster on the first devices, and slower on the next "
                 "ones.",
         .steps = {step("integers", "multiply", "mul24", "faster on 1.x")},
         .document = &course_page},
        {.row = "instructions",
         .name = "stray double",
         .says = "Constants of double among floats are to be avoided.",
         .steps = {step("conversions", "stray_double", "float_only")},
         .document = &optimization},
        {.row = "instructions",
         .name = "divergence",
         .says = "Paths within a warp are walked one after the other; warps that differ cost "
                 "nothing.",
         .steps = {step("divergence", "lanes PATHS=2", "lanes PATHS=1", "2x", 2),
                   step("divergence", "lanes PATHS=32", "lanes PATHS=1", "32x", 32),
                   step("divergence", "uniform PATHS=1", "uniform PATHS=32", "no slower", 1)},
         .document = &optimization},
        {.row = "sphere",
         .name = "sphere",
         .says = "Random numbers must be made on the device: an exercise, without a figure.",
         .steps = alone("sphere", {"count_tree", "count_global", "stream"}),
         .document = &introduction},
        {.row = "clock",
         .name = "theoretical",
         .says = "A bandwidth that is reached is less than the theoretical one.",
         .steps = alone("ceiling", {"copy"}),
         .document = &introduction,
         .figure = "theoretical"},
    };
}

}  // namespace

bool Claim::compares() const {
    return std::ranges::any_of(steps, [](const PublishedStep& s) { return !s.slow.empty(); });
}

const std::vector<Claim>& claims() {
    static const std::vector<Claim> all = [] {
        std::vector<Claim> list = of_kernels();
        for (std::vector<Claim> more :
             {of_the_ladder(), {smoothing()}, of_the_host(), of_instructions()}) {
            std::ranges::move(more, std::back_inserter(list));
        }
        return list;
    }();
    return all;
}

}  // namespace parallax
