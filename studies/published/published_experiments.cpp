// The table of what to look at where a published shape is not kept.
#include "studies/published/published_claims.hpp"

namespace parallax {
namespace {

using Constants = std::vector<Constant>;
using Kind = Evidence::Kind;

Evidence asked(ClaimedCase of, double per_byte, const char* because) {
    return {.kind = Kind::asked, .of = std::move(of), .per_byte = per_byte, .because = because};
}
Evidence asked_by_operation(ClaimedCase of, double bytes, const char* because) {
    return {.kind = Kind::asked, .of = std::move(of), .per_operation = bytes, .because = because};
}
Evidence share(ClaimedCase of) {
    return {.kind = Kind::share, .of = std::move(of)};
}
Evidence step(ClaimedCase slow, ClaimedCase fast, const char* because = "") {
    return {.kind = Kind::step, .of = std::move(slow), .fast = std::move(fast), .because = because};
}

Experiment matvec_with_more_groups() {
    const std::vector<std::uint64_t> shape{1100, 100'000};
    const auto with = [&](const char* variant) {
        Constants constants{{"GROUP", 512}};
        if (std::string_view(variant) != "row_per_item") constants.push_back({"GROUPS", 1056});
        return ClaimedCase{"matvec", variant, constants, shape};
    };
    return {.claims = {"six kernels"},
            .question =
                "Does the order come back when there are groups for all multiprocessors of "
                "a large card?",
            .command =
                "parallax run -s matvec -n 1100x100000 --define GROUP=512 --define "
                "GROUPS=1056",
            .evidence = {step(with("row_per_item"), with("rows_strided")),
                         step(with("rows_strided"), with("group_serial")),
                         step(with("group_serial"), with("tree_interleaved")),
                         step(with("tree_interleaved"), with("tree_sequential")),
                         step(with("tree_sequential"), with("warp"))}};
}

std::vector<Experiment> of_caches() {
    const auto rung = [](const char* variant, std::int64_t group = 64) {
        return ClaimedCase{
            "multiply_ladder", variant, {{"GROUP", group}, {"TRANSFERS", 0}}, {4096, 4096, 4096}};
    };
    const std::vector<std::uint64_t> image{8192, 8192};
    return {
        {.claims = {"six kernels"},
         .question = "Do loads that do not coalesce still go to memory one by one?",
         .command = "parallax run -s matvec/row_per_item -n 1100x100000 --define GROUP=512",
         .evidence = {asked({"matvec", "row_per_item", {{"GROUP", 512}}, {1100, 100'000}}, 8,
                            "a load of 4 bytes fetches a sector of 32")}},
        {.claims = {"smoothing"},
         .question = "Do caches catch what local memory was to save, on an image too large to stay "
                     "in them as a whole?",
         .command = "parallax run -s smoothing -n 8192x8192",
         .evidence = {asked({"smoothing", "plain", {}, image}, 5,
                            "nine loads and a store for one of each"),
                      share({"smoothing", "plain", {}, image}),
                      asked({"smoothing", "padded", {}, image}, 20.0 / 3,
                            "nine loads and a store of four values for one of three each"),
                      step({"smoothing", "plain", {}, image}, {"smoothing", "staged", {}, image}),
                      step({"smoothing", "padded", {}, image},
                           {"smoothing", "padded_staged", {}, image})}},
        {.claims = {"offset"},
         .question = "Is it the transactions that an offset costs?",
         .command = "parallax run -s strided_copy",
         .evidence =
             {step({"strided_copy", "offset", {{"OFFSET", 1}}},
                   {"strided_copy", "offset", {{"OFFSET", 8}}},
                   "at a whole sector of 32 bytes no more of them are touched than without offset"),
              step({"strided_copy", "strided", {{"STRIDE", 2}}},
                   {"strided_copy", "strided", {{"STRIDE", 1}}},
                   "bytes that nobody wants do cost; those that an offset adds are the "
                   "neighbouring warp's, and wanted")}},
        {.claims = {"stencil"},
         .question = "Do caches catch what local memory was to save?",
         .command = "parallax run -s stencil1d",
         .evidence = {asked({"stencil1d", "global"}, 4, "seven loads and a store for one of each"),
                      share({"stencil1d", "global"})}},
        {.claims = {"tiles"},
         .question = "Do the reads that staging saves still go to memory?",
         .command = "parallax run -s multiply",
         .evidence = {asked_by_operation({"multiply", "naive"}, 1.125,
                                         "a warp of 2 rows of 16 items asks for 18 words to do 32 "
                                         "products"),
                      asked_by_operation({"multiply", "staged_a"}, 1,
                                         "16 of the 18 words are left when a is staged")}},
        {.claims = {"ladder, groups of 32", "ladder, groups of 64", "ladder, groups of 128",
                    "ladder, groups of 256"},
         .question = "Is memory what the versions wait for?",
         .command = "parallax run -s multiply_ladder -n 4096x4096x4096 --define GROUP=64",
         .evidence = {asked_by_operation(rung("strip_of_c"), 2,
                                         "each product loads a word of b and no other"),
                      asked_by_operation(rung("two_rows"), 2,
                                         "each product loads a word of b and no other"),
                      asked_by_operation(rung("four_rows"), 2,
                                         "each product loads a word of b and no other"),
                      asked_by_operation(rung("four_columns"), 0.5,
                                         "four products share a word of b")}},
        {.claims = {"ladder, groups of 32", "ladder, sizes of groups"},
         .question =
             "Do groups of one warp fill a multiprocessor, which holds only so many groups?",
         .command = "parallax run -s multiply_ladder -n 4096x4096x4096 --define GROUP=32",
         .evidence = {step(rung("plain", 32), rung("plain", 64)),
                      step(rung("strip_of_c", 32), rung("strip_of_c", 64),
                           "a group waits for its strip, and there are not enough others")}},
        {.claims = {"transpose", "stencil", "tiles", "smoothing", "trees"},
         .question = "Is local memory faster than the caches, and does it have banks?",
         .command = "parallax run -s constant_memory -s bank_conflicts",
         .evidence = {step({"constant_memory", "global_pointer", {{"SPREAD", 1}}},
                           {"constant_memory", "local_table", {{"SPREAD", 1}}},
                           "a table that fits into the caches, and the same in local memory"),
                      step({"bank_conflicts", "strided", {{"STRIDE", 32}}},
                           {"bank_conflicts", "strided", {{"STRIDE", 1}}},
                           "without banks all strides cost alike")}},
    };
}

std::vector<Experiment> of_limits() {
    return {
        {.claims = {"vectors"},
         .question = "Does one element an item leave something of the bandwidth?",
         .command = "parallax run -s strided_copy -s reduction",
         .evidence = {share({"strided_copy", "copy"}), share({"strided_copy", "copy4"}),
                      share({"reduction", "items"})}},
        {.claims = {"trees"},
         .question = "How much of a reduction's time is the tree?",
         .command = "parallax run -s reduction",
         .evidence = {share({"reduction", "sequential"}),
                      step({"reduction", "sequential"}, {"reduction", "items"},
                           "the same tree, once for many elements of an item")}},
        {.claims = {"size of groups"},
         .question = "Is there anything to gain beyond 64 work-items?",
         .command = "parallax sweep reduction/items --over GROUP=64..1024 -n 2^26",
         .evidence = {share({"reduction", "items", {{"GROUP", 64}}, {1u << 26}}),
                      share({"reduction", "items", {{"GROUP", 256}}, {1u << 26}})}},
        {.claims = {"pitched rows"},
         .question = "Do rows that are not aligned leave anything of the bandwidth?",
         .command = "parallax run -s pitched_rows",
         .evidence = {share({"pitched_rows", "packed"}), share({"pitched_rows", "pitched"})}},
        {.claims = {"host memory", "pieces"},
         .question = "Is page-locked memory at the limit of the link already?",
         .command = "parallax run -s transfer",
         .evidence = {step({"transfer", "to_device_locked"}, {"transfer", "from_device_locked"},
                           "both directions end at one rate, the link's"),
                      step({"transfer", "to_device"}, {"transfer", "to_device_locked"})}},
        {.claims = {"small kernels"},
         .question = "Is it the device that takes the time, or launching?",
         .command = "parallax run -s concurrency",
         .evidence = {{.kind = Kind::launches, .of = {"concurrency", "in_turn"}, .count = 128},
                      step({"concurrency", "in_turn"}, {"concurrency", "one_kernel"},
                           "the same work as the groups of one kernel")}},
        {.claims = {"overlap"},
         .question = "Is there anything idle while a copy runs?",
         .command = "parallax run -s transfer",
         .evidence = {step({"transfer", "to_device"}, {"transfer", "to_device_by_kernel"},
                           "where a kernel copies faster than the transfer does, the cores that "
                           "calculate are those that copy")}},
        {.claims = {"images"},
         .question = "Does reading by way of an image cost something of its own?",
         .command = "parallax run -s images",
         .evidence = {step({"images", "buffer_rows"}, {"images", "image_rows"},
                           "the same pattern, side by side, from an image: much slower means that "
                           "a program works out each address, and no hardware does"),
                      step({"images", "buffer_tiles"}, {"images", "image_tiles"})}},
        {.claims = {"native functions"},
         .question = "Is there hardware for the function, or only a shorter program?",
         .command = "parallax run -s functions",
         .evidence = {step({"functions", "precise", {{"FUNCTION", 0}}},
                           {"functions", "native", {{"FUNCTION", 0}}}),
                      step({"functions", "precise", {{"FUNCTION", 4}}},
                           {"functions", "native", {{"FUNCTION", 4}}},
                           "the square root, which hardware has right as well")}},
        {.claims = {"constant memory"},
         .question = "Is the table read by way of constant memory at all?",
         .command = "parallax run -s constant_memory",
         .evidence = {step({"constant_memory", "constant_data", {{"SPREAD", 0}}},
                           {"constant_memory", "global_pointer", {{"SPREAD", 0}}},
                           "the same table from global memory, all items at one place"),
                      step({"constant_memory", "constant_data", {{"SPREAD", 1}}},
                           {"constant_memory", "global_pointer", {{"SPREAD", 1}}},
                           "the same at many places: alike means that the compiler reads "
                           "both through the caches")}},
        {.claims = {"bank conflicts"},
         .question = "Do conflicts cost as many turns as there are items in a bank?",
         .command = "parallax run -s bank_conflicts --full",
         .evidence = {step({"bank_conflicts", "strided", {{"STRIDE", 4}}},
                           {"bank_conflicts", "strided", {{"STRIDE", 2}}}),
                      step({"bank_conflicts", "strided", {{"STRIDE", 32}}},
                           {"bank_conflicts", "spaced", {{"STRIDE", 32}}},
                           "a spare element after every 32")}},
        {.claims = {"24 bits"},
         .question = "What is there to save on a product of 32 bits?",
         .command = "parallax run -s integers",
         .evidence = {step({"integers", "multiply"}, {"integers", "exclusive_or"},
                           "as cheap as an instruction can be"),
                      step({"integers", "mul24"}, {"integers", "mad24"},
                           "with the sum in the same function")}},
        {.claims = {"divergence"},
         .question = "What do paths cost that no warp divides over?",
         .command = "parallax run -s divergence",
         .evidence = {step({"divergence", "uniform", {{"PATHS", 1}}},
                           {"divergence", "uniform", {{"PATHS", 2}}}),
                      step({"divergence", "uniform", {{"PATHS", 1}}},
                           {"divergence", "uniform", {{"PATHS", 8}}},
                           "a warp must find its path, and the code of many paths takes room"),
                      step({"divergence", "lanes", {{"PATHS", 32}}},
                           {"divergence", "uniform", {{"PATHS", 32}}},
                           "as many paths, but not within a warp")}},
    };
}

}  // namespace

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all = [] {
        std::vector<Experiment> list{matvec_with_more_groups()};
        for (Experiment& e : of_caches()) list.push_back(std::move(e));
        for (Experiment& e : of_limits()) list.push_back(std::move(e));
        return list;
    }();
    return all;
}

}  // namespace parallax
