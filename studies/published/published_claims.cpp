// The table of what the documents state.
#include "studies/published/published_claims.hpp"

#include <initializer_list>
#include <iterator>

namespace parallax {
namespace {

using namespace documents;
using Constants = std::vector<Constant>;
using Extents = std::vector<std::uint64_t>;

/// Faster, without a figure.
Stated faster(const char* text = "faster") {
    return {{}, text};
}
Stated no_faster() {
    return {1, "no faster"};
}

/// One case after the other, each a step beyond the one before.
std::vector<ClaimStep> chain(const std::vector<ClaimedCase>& cases, const char* figure = "") {
    std::vector<ClaimStep> steps;
    for (std::size_t i = 1; i < cases.size(); ++i) {
        steps.push_back({cases[i - 1], cases[i], {}, figure});
    }
    return steps;
}

std::vector<ClaimedCase> variants_of(const char* suite, std::initializer_list<const char*> names,
                                     const Constants& constants = {}, const Extents& shape = {}) {
    std::vector<ClaimedCase> cases;
    for (const char* name : names) cases.push_back({suite, name, constants, shape});
    return cases;
}

/// Two variants of a suite under the same circumstances.
ClaimStep variants(const char* suite, const char* slow, const char* fast, Stated stated,
                   const Constants& constants = {}) {
    return {{suite, slow, constants}, {suite, fast, constants}, std::move(stated)};
}

/// A variant with two values of a constant.
ClaimStep values(const char* suite, const char* variant, const char* constant, std::int64_t slow,
                 std::int64_t fast, std::optional<Stated> stated = {}) {
    return {{suite, variant, {{constant, slow}}},
            {suite, variant, {{constant, fast}}},
            std::move(stated)};
}

Claim matvec() {
    const Extents shape{1100, 100'000};
    const Constants looping{{"GROUP", 512}, {"GROUPS", 60}};
    std::vector<ClaimedCase> cases{{"matvec", "row_per_item", {{"GROUP", 512}}, shape}};
    for (ClaimedCase& c : variants_of(
             "matvec",
             {"rows_strided", "group_serial", "tree_interleaved", "tree_sequential", "warp"},
             looping, shape)) {
        cases.push_back(std::move(c));
    }
    return {.row = "matvec",
            .name = "six kernels",
            .says =
                "Each of the six kernels is at least as fast as the one before it; coalesced "
                "loads and a tree gain most.",
            .steps = chain(cases),
            .document = &architecture};
}

Claim ladder_at(std::int64_t group) {
    const std::initializer_list<const char*> published = {
        "plain", "strip_of_c", "two_rows", "four_rows", "two_columns", "four_columns"};
    const std::initializer_list<const char*> first_two = {"plain", "strip_of_c"};
    return {.row = "multiply_ladder",
            .name = "ladder, groups of " + std::to_string(group),
            .says =
                "A strip in local memory gains, more values of i gain nothing, every doubling "
                "of the values of j gains again.",
            .steps = chain(variants_of("multiply_ladder", group == 256 ? first_two : published,
                                       {{"GROUP", group}, {"TRANSFERS", 0}}, {4096, 4096, 4096}),
                           "kernel only"),
            .document = &introduction};
}

/// Each version from one size of groups to the next that was published of it.
Claim ladder_sizes() {
    Claim claim{.row = "multiply_ladder",
                .name = "ladder, sizes of groups",
                .says =
                    "Beyond one warp a group, versions with a strip in local memory gain up to "
                    "a half; beyond two warps hardly any gains more.",
                .steps = {},
                .document = &introduction};
    for (const char* variant :
         {"plain", "strip_of_c", "two_rows", "four_rows", "two_columns", "four_columns"}) {
        const auto of = [&](std::int64_t group) {
            return ClaimedCase{"multiply_ladder",
                               variant,
                               {{"GROUP", group}, {"TRANSFERS", 0}},
                               {4096, 4096, 4096}};
        };
        for (std::int64_t group = 64; group <= 256; group *= 2) {
            ClaimStep step{of(group / 2), of(group), {}, "kernel only"};
            if (!published_factors(step).empty()) claim.steps.push_back(std::move(step));
        }
    }
    return claim;
}

Claim smoothing() {
    const auto on = [](const char* variant, bool transposed = false) {
        return ClaimedCase{
            "smoothing", variant, {}, transposed ? Extents{1024, 664} : Extents{664, 1024}};
    };
    return {.row = "smoothing",
            .name = "smoothing",
            .says =
                "Local memory and padded pixels gain a lot, aligned rows a little; on newer "
                "hardware with caches the document expects local memory to be of no use.",
            .steps = {{on("plain"), on("staged")},
                      {on("plain"), on("padded")},
                      {on("padded"), on("padded_staged")},
                      {on("padded"), on("padded", true)},
                      {on("padded_staged"), on("padded_staged", true)},
                      {on("padded"), on("pitched")},
                      {on("pitched"), on("pitched_staged")}},
            .document = &course_page};
}

std::vector<Claim> of_memory() {
    return {
        {.row = "reduction",
         .name = "trees",
         .says = "A tree without bank conflicts is faster than one with them, and trees of warps "
                 "are faster again. The factors are those of the matrix-vector product.",
         .steps = {variants("reduction", "interleaved", "sequential", faster()),
                   variants("reduction", "sequential", "warp", faster())},
         .document = &architecture},
        {.row = "transpose",
         .name = "transpose",
         .says = "Coalescing through local memory gains most by far, a spare column a fifth more.",
         .steps = chain(variants_of("transpose", {"naive", "tiled", "padded"})),
         .document = &optimization},
        {.row = "strided_copy",
         .name = "offset",
         .says = "An offset of one element costs a large part of the bandwidth.",
         .steps = {values("strided_copy", "offset", "OFFSET", 1, 0)},
         .document = &optimization},
        {.row = "strided_copy",
         .name = "stride",
         .says = "Accesses that do not coalesce can cost an order of magnitude.",
         .steps = {values("strided_copy", "strided", "STRIDE", 2, 1, faster()),
                   values("strided_copy", "strided", "STRIDE", 32, 1, Stated{10, "up to 10x"})},
         .document = &architecture},
        {.row = "strided_copy",
         .name = "vectors",
         .says = "Vector types are for convenience: they are no faster.",
         .steps = {variants("strided_copy", "copy", "copy4", no_faster()),
                   variants("reduction", "items", "vector", no_faster())},
         .document = &optimization},
        {.row = "stencil1d",
         .name = "stencil",
         .says = "Local memory is a cache that the program manages: what is read often should be "
                 "read from there.",
         .steps = {variants("stencil1d", "global", "staged", faster())},
         .document = &overview},
        {.row = "multiply",
         .name = "tiles",
         .says = "Staging a gains by coalescing, staging b doubles that again.",
         .steps = chain(variants_of("multiply", {"naive", "staged_a", "staged_ab"})),
         .document = &optimization},
    };
}

std::vector<Claim> of_the_host() {
    const ClaimedCase link{"transfer", "to_device"}, card{"ceiling", "copy"};
    return {
        {.row = "transfer",
         .name = "link and card",
         .says = "The way to the device is many times narrower than its own memory.",
         .steps = {{link, card}},
         .document = &optimization},
        {.row = "transfer",
         .name = "host memory",
         .says = "Page-locked memory is transferred faster, write-combined memory faster again.",
         .steps = {variants("transfer", "to_device", "to_device_locked", faster()),
                   variants("transfer", "to_device_locked", "to_device_combined", faster())},
         .document = &introduction},
        {.row = "transfer",
         .name = "pieces",
         .says = "One large transfer is much better than many small ones.",
         .steps = {variants("transfer", "to_device_in_pieces", "to_device_locked", faster()),
                   variants("transfer", "from_device_in_pieces", "from_device_locked", faster())},
         .document = &optimization},
        {.row = "overlap",
         .name = "overlap",
         .says = "With two queues, copies and kernels overlap.",
         .steps = {variants("overlap", "one_queue", "two_queues", faster())},
         .document = &introduction},
        {.row = "overlap",
         .name = "small kernels",
         .says = "Small kernels run side by side, where the device can.",
         .steps = {variants("concurrency", "in_turn", "side_by_side", faster())},
         .document = &introduction},
        {.row = "configuration",
         .name = "size of groups",
         .says = "64 work-items are the least, more are usually 1.2 to 1.5 times as fast.",
         .steps = {values("reduction", "items", "GROUP", 64, 256, Stated{1.2, "1.2x to 1.5x"})},
         .document = &overview},
        {.row = "configuration",
         .name = "number of groups",
         .says = "Every multiprocessor needs several groups.",
         .steps =
             {{{"matvec", "tree_sequential", {{"GROUP", 512}, {"GROUPS", 60}}, {1100, 100'000}},
               {"matvec", "tree_sequential", {{"GROUP", 512}, {"GROUPS", 1056}}, {1100, 100'000}},
               faster()}},
         .document = &optimization},
    };
}

std::vector<Claim> of_instructions() {
    const Stated half_warp{16, "16x: a half-warp, one after the other"};
    return {
        {.row = "memory_spaces",
         .name = "constant memory",
         .says = "Constant memory is fast where all items read one address; different addresses "
                 "are read one after the other.",
         .steps = {values("constant_memory", "constant_data", "SPREAD", 1, 0, half_warp)},
         .document = &introduction},
        {.row = "memory_spaces",
         .name = "bank conflicts",
         .says = "Accesses to one bank are served one after the other: strides that banks divide "
                 "cost, odd ones do not.",
         .steps = {values("bank_conflicts", "strided", "STRIDE", 2, 1, Stated{2, "2x"}),
                   values("bank_conflicts", "strided", "STRIDE", 32, 1, half_warp),
                   values("bank_conflicts", "strided", "STRIDE", 1, 33, Stated{1, "no slower"})},
         .document = &course_page},
        {.row = "memory_spaces",
         .name = "images",
         .says = "Images are fastest where the items of a warp read near each other in two "
                 "dimensions.",
         .steps = {variants("images", "image_scattered", "image_tiles", faster())},
         .document = &introduction},
        {.row = "memory_spaces",
         .name = "pitched rows",
         .says = "Rows should begin at aligned addresses.",
         .steps = {variants("pitched_rows", "packed", "pitched", faster())},
         .document = &introduction},
        {.row = "instructions",
         .name = "native functions",
         .says = "Native functions can be faster by orders of magnitude, and relaxed arithmetic "
                 "lets the compiler do much.",
         .steps = {variants("functions", "precise", "native", Stated{10, "10x and more"},
                            {{"FUNCTION", 0}}),
                   variants("functions", "precise", "relaxed", faster(), {{"FUNCTION", 0}})},
         .document = &architecture},
        {.row = "instructions",
         .name = "division",
         .says = "Integer division and modulo are expensive; shifts and masks are not.",
         .steps = {variants("integers", "divide", "shift", faster()),
                   variants("integers", "modulo", "mask", faster())},
         .document = &architecture},
        {.row = "instructions",
         .name = "24 bits",
         .says = "Products of 24 bits are faster on the first devices, and slower on the next "
                 "ones.",
         .steps = {variants("integers", "multiply", "mul24", faster("faster on 1.x"))},
         .document = &course_page},
        {.row = "instructions",
         .name = "stray double",
         .says = "Constants of double among floats are to be avoided.",
         .steps = {variants("conversions", "stray_double", "float_only", faster())},
         .document = &optimization},
        {.row = "instructions",
         .name = "divergence",
         .says = "Paths within a warp are walked one after the other; warps that differ cost "
                 "nothing.",
         .steps = {values("divergence", "lanes", "PATHS", 2, 1, Stated{2, "2x"}),
                   values("divergence", "lanes", "PATHS", 32, 1, Stated{32, "32x"}),
                   values("divergence", "uniform", "PATHS", 1, 32, Stated{1, "no slower"})},
         .document = &optimization},
    };
}

}  // namespace

const std::vector<Claim>& claims() {
    static const std::vector<Claim> all = [] {
        std::vector<Claim> list{matvec()};
        const auto add = [&](std::vector<Claim> more) {
            list.insert(list.end(), std::make_move_iterator(more.begin()),
                        std::make_move_iterator(more.end()));
        };
        add(of_memory());
        add({ladder_at(32), ladder_at(64), ladder_at(128), ladder_at(256), ladder_sizes(),
             smoothing()});
        add(of_the_host());
        add(of_instructions());
        return list;
    }();
    return all;
}

}  // namespace parallax
