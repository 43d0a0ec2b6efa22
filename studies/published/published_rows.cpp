// The systems that the documents show, and what runs each of them today.
#include "studies/published/published.hpp"

namespace parallax {

const std::vector<PublishedRow>& published_rows() {
    static const std::vector<PublishedRow> all = [] {
        std::vector<PublishedRow> rows;
        const auto add = [&](auto name, auto title, auto shows, std::string_view note,
                             std::vector<std::string_view> commands) {
            rows.push_back({name, title, shows, note, std::move(commands)});
        };
        add("matvec", "Matrix-vector product, six ways",
            "An item for each row; items that loop over rows; a group for each row whose first "
            "item adds the parts up; a tree sum with bank conflicts; one without; one by warps. "
            "The first kernel ran with 196 groups, the others with 60, two for each multiprocessor "
            "of that card.",
            "60 groups fill a card of 30 multiprocessors. On a larger one, try GROUPS too.",
            {"parallax run -s matvec -n 1100x100000 --define GROUP=512 --define GROUPS=60",
             "parallax sweep matvec/tree_sequential --over GROUPS=60..3840"});
        add("reduction", "Parallel reduction",
            "Interleaved addressing, whose strides make banks collide; sequential addressing; sums "
            "within a warp. The published times are those of the matrix-vector product around the "
            "tree. An exercise has the reduction read its input from mapped host memory.",
            {},
            {"parallax run -s reduction",
             "parallax run -s matvec -n 1100x100000 --define GROUP=512 --define GROUPS=60"});
        add("transpose", "Matrix transpose",
            "Without local memory; staged through a tile of it, so that reads and writes coalesce; "
            "with a spare column, so that no two items of a warp meet in a bank.",
            "The document does not say the size of the matrix.", {"parallax run -s transpose"});
        add("strided_copy", "Copy with an offset, copy with a stride",
            "How the effective bandwidth falls when a warp's accesses are shifted against the "
            "transactions, and when they are a stride apart. The curves are pictures; in words the "
            "document says what an offset of one element costs.",
            {}, {"parallax run -s strided_copy --full"});
        add("stencil1d", "Sum over a radius (1D stencil)",
            "Each output is the sum of the inputs within a radius: from global memory, and from "
            "local memory, where a group keeps its inputs and a halo. The drawing has a radius of "
            "3 and a group of 16; there is no time.",
            {},
            {"parallax run -s stencil1d",
             "parallax run -s stencil1d --define RADIUS=3 --define GROUP=16"});
        add("multiply", "Matrix product in tiles",
            "Nothing staged; a tile of A staged, so that its reads coalesce; a tile of B too, so "
            "that nothing is read twice.",
            "In the document the inner dimension is one tile, and it does not say how bytes were "
            "counted: compare the steps, not the figures.",
            {"parallax run -s multiply"});
        add("multiply_ladder", "Matrix product, a ladder of four versions",
            "One element an item; a strip of C in local memory; two and four values of i an item; "
            "two and four values of j an item; each at several sizes of groups, on matrices of "
            "4096x4096 stored by columns.",
            "'overall' counts the transfers too (today: TRANSFERS=1, from and to ordinary memory), "
            "'kernel only' is what a launch takes. Version 2 has no barriers as published and has "
            "them here.",
            {"parallax run -s multiply_ladder -n 4096x4096x4096 --define GROUP=64",
             "parallax run -s multiply_ladder -n 4096x4096x4096 --define GROUP=64 --define "
             "TRANSFERS=1"});
        add("smoothing", "Smoothing of an image",
            "The mean of each pixel and its neighbours on an image of 16-bit RGB: plain; through "
            "local memory; with pixels padded to an even number of channels; both; the same on the "
            "transposed image, whose rows are aligned; with pitched rows; those through local "
            "memory. Images are PAM files.",
            "That card could coalesce least of all, so each step gained much.",
            {"parallax run -s smoothing -n 664x1024", "parallax run -s smoothing -n 1024x664"});
        add("transfer", "Transfers between host and device",
            "Pageable against page-locked and write-combined memory, one large transfer against "
            "many small ones, and how narrow the way to the device is beside its own memory.",
            {}, {"parallax run -s transfer"});
        add("overlap", "Overlap and concurrency",
            "A chunk is copied while another is computed on, with two queues or streams; small "
            "kernels run side by side; queues in order and out of order, with events as "
            "dependencies.",
            {}, {"parallax run -s overlap -s concurrency"});
        add("zero_copy", "Mapped host memory (zero copy)",
            "A kernel reads host memory that is mapped into its address space, so that nothing is "
            "copied first.",
            {}, {"parallax run -s zero_copy"});
        add("configuration", "Size and number of groups",
            "Groups are multiples of a warp, there are many more of them than multiprocessors, and "
            "which size is best must be tried out.",
            {},
            {"parallax sweep reduction/items --over GROUP=32..1024",
             "parallax sweep reduction/items --over ITEMS=4..256",
             "parallax sweep matvec/tree_sequential --over GROUPS=60..3840"});
        add("occupancy", "Occupancy",
            "How many warps a multiprocessor holds at a time, from registers, local memory and the "
            "size of groups, and which of them is the limit.",
            {},
            {"parallax occupancy --items 192 --registers 20 --local 68 --capability 1.0",
             "parallax sweep reduction/items --over GROUP=32..1024+32 --occupancy"});
        add("memory_spaces", "Memory spaces",
            "Constant memory, read by all items at one place or at many; images, whose cache likes "
            "neighbours in two dimensions; bank conflicts in local memory; rows that begin at "
            "aligned addresses.",
            {}, {"parallax run -s constant_memory -s bank_conflicts -s images -s pitched_rows"});
        add("instructions", "What instructions cost",
            "Native against precise functions, fused and relaxed arithmetic, integer division and "
            "modulo against shifts and masks, products of 24 bits, constants of double among "
            "floats, and different paths within a warp.",
            {}, {"parallax run -s functions -s integers -s conversions -s divergence"});
        add("sphere", "Volume of a sphere by random points",
            "An exercise without figures: random numbers must be made on the device.", {},
            {"parallax run -s sphere"});
        add("devices", "What a device is and can do",
            "Properties of devices are asked for before they are relied upon.", {},
            {"parallax devices"});
        add("clock", "Timing",
            "Events around launches, a launch before them that is not timed, several launches in "
            "the mean; effective bandwidth is bytes read and written over time. "
            "docs/reference/records.md "
            "says what is timed here, and how.",
            {}, {"parallax selftest", "parallax run -s ceiling"});
        add("errors", "Errors, and what must be given back",
            "Every call returns a code, a context can call back, objects count their references. "
            "Here every code is looked at: a case that cannot be built or run is a record with the "
            "reason, and the exit code, which the help page lists, says so.",
            {}, {"parallax --help"});
        add("mapping", "OpenCL's words and CUDA's",
            "OpenCL's platform, execution and memory model laid over the CUDA architecture. A "
            "program that runs everywhere is not fast everywhere: that is what the other commands "
            "measure.",
            {}, {"parallax map", "parallax show matvec/warp"});
        return rows;
    }();
    return all;
}

}  // namespace parallax
