// What to look at where a published claim does not hold today.
#include <fmt/format.h>

#include "studies/published/published.hpp"

namespace parallax {
namespace {

Evidence gain(std::string slow, std::string fast, std::string_view because = "") {
    return {Evidence::Kind::step, std::move(slow), std::move(fast), 0, because};
}
Evidence asked(std::string of, double by_byte, std::string_view because) {
    return {Evidence::Kind::asked_by_byte, std::move(of), "", by_byte, because};
}
Evidence asked_each(std::string of, double by_operation, std::string_view because) {
    return {Evidence::Kind::asked_by_operation, std::move(of), "", by_operation, because};
}
Evidence moved(std::string of) {
    return {Evidence::Kind::share, std::move(of), "", 0, ""};
}

/// The first of the six kernels, and one of the others with groups for all of a large card.
const std::string first_of_six = "matvec/row_per_item GROUP=512 1100x100000";
std::string filled(std::string_view variant) {
    return fmt::format("matvec/{} GROUP=512 GROUPS=1056 1100x100000", variant);
}
std::string product(std::string_view variant, int group) {
    return fmt::format("multiply_ladder/{} GROUP={} TRANSFERS=0 4096x4096x4096", variant, group);
}

}  // namespace

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all{
        {{"six kernels", "trees"},
         "Does the order come back when a large card has groups for all multiprocessors?",
         "parallax run -s matvec -n 1100x100000 --define GROUP=512 --define GROUPS=1056",
         {gain(first_of_six, filled("rows_strided")), gain(first_of_six, filled("tree_sequential")),
          gain(filled("tree_sequential"), filled("warp"))}},
        {{"six kernels"},
         "Do loads that do not coalesce still go to memory one by one?",
         "parallax run -s matvec/row_per_item -n 1100x100000 --define GROUP=512",
         {asked(first_of_six, 8, "a load of 4 bytes fetches a sector of 32")}},
        {{"smoothing"},
         "Do caches catch what local memory was to save, on an image too large for them?",
         "parallax run -s smoothing -n 8192x8192",
         {asked("smoothing/plain 8192x8192", 5, "nine loads and a store for one of each"),
          gain("smoothing/plain 8192x8192", "smoothing/staged 8192x8192")}},
        {{"offset"},
         "Is it the transactions that an offset costs?",
         "parallax run -s strided_copy",
         {gain("strided_copy/offset OFFSET=1", "strided_copy/offset OFFSET=8",
               "at a whole sector of 32 bytes it touches no more of them than without offset")}},
        {{"stencil"},
         "Do caches catch what local memory was to save?",
         "parallax run -s stencil1d",
         {asked("stencil1d/global", 4, "seven loads and a store for one of each"),
          moved("stencil1d/global")}},
        {{"tiles"},
         "Do the reads that staging saves still go to memory?",
         "parallax run -s multiply",
         {asked_each("multiply/naive", 1.125,
                     "a warp of 2 rows of 16 items asks for 18 words to do 32 products")}},
        {{"ladder, groups of 32", "ladder, groups of 64", "ladder, groups of 128",
          "ladder, groups of 256"},
         "Is memory what the versions wait for?",
         "parallax run -s multiply_ladder -n 4096x4096x4096 --define GROUP=64",
         {asked_each(product("strip_of_c", 64), 2, "each product loads a word of b"),
          asked_each(product("four_columns", 64), 0.5, "four products share a word of b")}},
        {{"ladder, groups of 32", "ladder, sizes of groups"},
         "Do groups of one warp fill a multiprocessor, which holds only so many groups?",
         "parallax run -s multiply_ladder -n 4096x4096x4096 --define GROUP=32",
         {gain(product("strip_of_c", 32), product("strip_of_c", 64),
               "a group waits for its strip, and there are not enough others")}},
        {{"transpose", "stencil", "tiles", "smoothing", "trees"},
         "Is local memory faster than the caches, and does it have banks?",
         "parallax run -s constant_memory -s bank_conflicts",
         {gain("constant_memory/global_pointer SPREAD=1", "constant_memory/local_table SPREAD=1",
               "a table that fits into the caches, and the same in local memory"),
          gain("bank_conflicts/strided STRIDE=32", "bank_conflicts/strided STRIDE=1",
               "without banks all strides cost alike")}},
        {{"vectors"},
         "Does one element an item leave something of the bandwidth?",
         "parallax run -s strided_copy -s reduction",
         {moved("strided_copy/copy"), moved("reduction/items")}},
        {{"trees"},
         "How much of a reduction's time is the tree?",
         "parallax run -s reduction",
         {gain("reduction/sequential", "reduction/items",
               "the same tree, once for many elements of an item")}},
        {{"size of groups"},
         "Is there anything to gain beyond 64 work-items?",
         "parallax sweep reduction/items --over GROUP=64..1024 -n 2^26",
         {moved("reduction/items GROUP=64 2^26")}},
        {{"pitched rows"},
         "Do rows that are not aligned leave anything of the bandwidth?",
         "parallax run -s pitched_rows",
         {moved("pitched_rows/packed")}},
        {{"host memory", "pieces"},
         "Is page-locked memory at the limit of the link already?",
         "parallax run -s transfer",
         {gain("transfer/to_device_locked", "transfer/from_device_locked",
               "both directions end at one rate, the link's")}},
        {{"small kernels"},
         "Is it the device that takes the time, or launching?",
         "parallax run -s concurrency",
         {{Evidence::Kind::launches, "concurrency/in_turn", "", 128, ""},
          gain("concurrency/in_turn", "concurrency/one_kernel",
               "the same work as the groups of one kernel")}},
        {{"overlap"},
         "Is there anything idle while a copy runs?",
         "parallax run -s transfer",
         {gain("transfer/to_device", "transfer/to_device_by_kernel",
               "where a kernel copies faster than the transfer does, the cores that calculate "
               "are those that copy")}},
        {{"images"},
         "Does reading by way of an image cost something of its own?",
         "parallax run -s images",
         {gain("images/buffer_rows", "images/image_rows",
               "the same pattern from an image: much slower means that a program works out each "
               "address, and no hardware does")}},
        {{"native functions"},
         "Is there hardware for the function, or only a shorter program?",
         "parallax run -s functions",
         {gain("functions/precise FUNCTION=4", "functions/native FUNCTION=4",
               "the square root, which hardware has right as well")}},
        {{"constant memory"},
         "Is the table read by way of constant memory at all?",
         "parallax run -s constant_memory",
         {gain("constant_memory/constant_data SPREAD=1", "constant_memory/global_pointer SPREAD=1",
               "the same table from global memory, items at many places: alike means that the "
               "compiler reads both through the caches")}},
        {{"bank conflicts"},
         "Do conflicts cost as many turns as there are items in a bank?",
         "parallax run -s bank_conflicts --full",
         {gain("bank_conflicts/strided STRIDE=32", "bank_conflicts/spaced STRIDE=32",
               "a spare element after every 32")}},
        {{"24 bits"},
         "What is there to save on a product of 32 bits?",
         "parallax run -s integers",
         {gain("integers/multiply", "integers/exclusive_or", "as cheap as an instruction can be")}},
        {{"divergence"},
         "What do paths cost that no warp divides over?",
         "parallax run -s divergence",
         {gain("divergence/uniform PATHS=1", "divergence/uniform PATHS=8",
               "a warp must find its path, and the code of many paths takes room")}},
    };
    return all;
}

}  // namespace parallax
