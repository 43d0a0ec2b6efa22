// The systems that the documents show, and what runs each of them today.
#include "studies/published/published.hpp"

namespace parallax {

const std::vector<PublishedRow>& published_rows() {
    static const std::vector<PublishedRow> all{
        {.name = "matvec",
         .title = "Matrix-vector product, six ways",
         .shows = "An item for each row; items that loop over rows; a group for each row whose "
                  "first item adds the parts up; a tree sum with bank conflicts; one without; one "
                  "by warps. The first kernel ran with 196 groups, the others with 60, two for "
                  "each multiprocessor of that card.",
         .note = "60 groups fill a card of 30 multiprocessors. On a larger one, try GROUPS too.",
         .commands = {"parallax run -s matvec -n 1100x100000 --define GROUP=512 --define GROUPS=60",
                      "parallax sweep matvec/tree_sequential --over GROUPS=60..3840"}},
        {.name = "reduction",
         .title = "Parallel reduction",
         .shows = "Interleaved addressing, whose strides make banks collide; sequential "
                  "addressing; sums within a warp. The published times are those of the "
                  "matrix-vector product around the tree. An exercise has the reduction read its "
                  "input from mapped host memory.",
         .commands =
             {"parallax run -s reduction",
              "parallax run -s matvec -n 1100x100000 --define GROUP=512 --define GROUPS=60"}},
        {.name = "transpose",
         .title = "Matrix transpose",
         .shows = "Without local memory; staged through a tile of it, so that reads and writes "
                  "coalesce; with a spare column, so that no two items of a warp meet in a bank.",
         .note = "The document does not say the size of the matrix.",
         .commands = {"parallax run -s transpose"}},
        {.name = "strided_copy",
         .title = "Copy with an offset, copy with a stride",
         .shows = "How the effective bandwidth falls when a warp's accesses are shifted against "
                  "the transactions, and when they are a stride apart. The curves are pictures; "
                  "in words the document says what an offset of one element costs.",
         .commands = {"parallax run -s strided_copy --full"}},
        {.name = "stencil1d",
         .title = "Sum over a radius (1D stencil)",
         .shows = "Each output is the sum of the inputs within a radius: from global memory, and "
                  "from local memory, where a group keeps its inputs and a halo. The drawing has a "
                  "radius of 3 and a group of 16; there is no time.",
         .commands = {"parallax run -s stencil1d",
                      "parallax run -s stencil1d --define RADIUS=3 --define GROUP=16"}},
        {.name = "multiply",
         .title = "Matrix product in tiles",
         .shows = "Nothing staged; a tile of A staged, so that its reads coalesce; a tile of B "
                  "too, so that nothing is read twice.",
         .note = "In the document the inner dimension is one tile, and it does not say how bytes "
                 "were counted: compare the steps, not the figures.",
         .commands = {"parallax run -s multiply"}},
        {.name = "multiply_ladder",
         .title = "Matrix product, a ladder of four versions",
         .shows = "One element an item; a strip of C in local memory; two and four values of i an "
                  "item; two and four values of j an item; each at several sizes of groups, on "
                  "matrices of 4096x4096 stored by columns.",
         .note = "'overall' counts the transfers too (today: TRANSFERS=1, from and to ordinary "
                 "memory), 'kernel only' is what a launch takes. Version 2 has no barriers as "
                 "published and has them here.",
         .commands = {"parallax run -s multiply_ladder -n 4096x4096x4096 --define GROUP=64",
                      "parallax run -s multiply_ladder -n 4096x4096x4096 --define GROUP=64 "
                      "--define TRANSFERS=1"}},
        {.name = "smoothing",
         .title = "Smoothing of an image",
         .shows = "The mean of each pixel and its neighbours on an image of 16-bit RGB: plain; "
                  "through local memory; with pixels padded to an even number of channels; both; "
                  "the same on the transposed image, whose rows are aligned; with pitched rows; "
                  "those through local memory. Images are PAM files.",
         .note = "That card could coalesce least of all, so each step gained much.",
         .commands = {"parallax run -s smoothing -n 664x1024",
                      "parallax run -s smoothing -n 1024x664"}},
        {.name = "transfer",
         .title = "Transfers between host and device",
         .shows = "Pageable against page-locked and write-combined memory, one large transfer "
                  "against many small ones, and how narrow the way to the device is beside its own "
                  "memory.",
         .commands = {"parallax run -s transfer"}},
        {.name = "overlap",
         .title = "Overlap and concurrency",
         .shows = "A chunk is copied while another is computed on, with two queues or streams; "
                  "small kernels run side by side; queues in order and out of order, with events "
                  "as dependencies.",
         .commands = {"parallax run -s overlap -s concurrency"}},
        {.name = "zero_copy",
         .title = "Mapped host memory (zero copy)",
         .shows = "A kernel reads host memory that is mapped into its address space, so that "
                  "nothing is copied first.",
         .commands = {"parallax run -s zero_copy"}},
        {.name = "configuration",
         .title = "Size and number of groups",
         .shows = "Groups are multiples of a warp, there are many more of them than "
                  "multiprocessors, and which size is best must be tried out.",
         .commands = {"parallax sweep reduction/items --over GROUP=32..1024",
                      "parallax sweep reduction/items --over ITEMS=4..256",
                      "parallax sweep matvec/tree_sequential --over GROUPS=60..3840"}},
        {.name = "occupancy",
         .title = "Occupancy",
         .shows = "How many warps a multiprocessor holds at a time, from registers, local memory "
                  "and the size of groups, and which of them is the limit.",
         .commands = {"parallax occupancy --items 192 --registers 20 --local 68 --capability 1.0",
                      "parallax sweep reduction/items --over GROUP=32..1024+32 --occupancy"}},
        {.name = "memory_spaces",
         .title = "Memory spaces",
         .shows = "Constant memory, read by all items at one place or at many; images, whose cache "
                  "likes neighbours in two dimensions; bank conflicts in local memory; rows that "
                  "begin at aligned addresses.",
         .commands =
             {"parallax run -s constant_memory -s bank_conflicts -s images -s pitched_rows"}},
        {.name = "instructions",
         .title = "What instructions cost",
         .shows = "Native against precise functions, fused and relaxed arithmetic, integer "
                  "division and modulo against shifts and masks, products of 24 bits, constants of "
                  "double among floats, and different paths within a warp.",
         .commands = {"parallax run -s functions -s integers -s conversions -s divergence"}},
        {.name = "sphere",
         .title = "Volume of a sphere by random points",
         .shows = "An exercise without figures: random numbers must be made on the device.",
         .commands = {"parallax run -s sphere"}},
        {.name = "devices",
         .title = "What a device is and can do",
         .shows = "Properties of devices are asked for before they are relied upon.",
         .commands = {"parallax devices"}},
        {.name = "clock",
         .title = "Timing",
         .shows = "Events around launches, a launch before them that is not timed, several "
                  "launches in the mean; effective bandwidth is bytes read and written over time. "
                  "docs/record.md says what is timed here, and how.",
         .commands = {"parallax selftest", "parallax run -s ceiling"}},
        {.name = "errors",
         .title = "Errors, and what must be given back",
         .shows =
             "Every call returns a code, a context can call back, objects count their "
             "references. Here every code is looked at: a case that cannot be built or run is "
             "a record with the reason, and the exit code, which the help page lists, says so.",
         .commands = {"parallax --help"}},
        {.name = "mapping",
         .title = "OpenCL's words and CUDA's",
         .shows = "OpenCL's platform, execution and memory model laid over the CUDA architecture. "
                  "A program that runs everywhere is not fast everywhere: that is what the other "
                  "commands measure.",
         .commands = {"parallax map", "parallax show matvec/warp"}},
    };
    return all;
}

}  // namespace parallax
