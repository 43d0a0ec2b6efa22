// The table of published figures.
#include "studies/published/published.hpp"

namespace parallax {
namespace documents {

const Document architecture{
    .author = "NVIDIA",
    .title = "\"OpenCL Programming for the CUDA Architecture\", version 2.3",
    .date = "2009-08-31",
};
const Document introduction{
    .author = "V. Kindratenko, The American University in Cairo",
    .title = "\"Introduction to GPU Programming (part IV)\"",
    .date = "December 2010",
};
const Document overview{
    .author = "T. Stich, NVIDIA",
    .title = "\"Programming in OpenCL\"",
    .date = "",
};
const Document optimization{
    .author = "NVIDIA",
    .title = "\"OpenCL Optimization\"",
    .date = "",
};
const Document course_page{
    .author = "author not named",
    .title = "a page of a course on CUDA, without a title, that times the smoothing of an image",
    .date = "",
};

}  // namespace documents

namespace {

using enum Unit;
using namespace documents;

constexpr const char* gtx_285 = "GeForce GTX 285";
constexpr const char* gtx_280 = "GeForce GTX 280";
constexpr const char* fx_5600 = "Quadro FX 5600";
constexpr const char* m_9600 = "GeForce 9600M GT";

/// Width, height and size of groups are the document's.
Published matvec(const char* variant, double value) {
    std::vector<Constant> constants{{"GROUP", 512}};
    // The first kernel's 196 groups follow from the height; the others loop.
    if (std::string_view(variant) != "row_per_item") constants.push_back({"GROUPS", 60});
    return {.suite = "matvec",
            .variant = variant,
            .shape = {1100, 100'000},
            .constants = std::move(constants),
            .device = gtx_285,
            .value = value,
            .unit = milliseconds,
            .document = &architecture};
}

Published bandwidth(const char* suite, const char* variant, const char* device, double value) {
    return {.suite = suite,
            .variant = variant,
            .device = device,
            .value = value,
            .unit = gigabytes_per_second,
            .document = &optimization};
}

Published offset(const char* device, double value) {
    return {.suite = "strided_copy",
            .variant = "offset",
            .constants = {{"OFFSET", 1}},
            .device = device,
            .value = value,
            .unit = times_slower,
            .document = &optimization,
            .against = {{"OFFSET", 0}}};
}

Published smoothing(const char* variant, std::vector<std::uint64_t> shape, double value) {
    return {.suite = "smoothing",
            .variant = variant,
            .shape = std::move(shape),
            .device = m_9600,
            .value = value,
            .unit = milliseconds,
            .document = &course_page};
}

/// A step of the ladder of matrix products at one size of groups.
struct Rung {
    const char* variant;
    std::int64_t group;
    double overall, kernel;
};
constexpr Rung ladder[]{
    {"plain", 32, 23.3, 24.2},          {"plain", 64, 26.0, 27.0},
    {"plain", 128, 24.5, 25.3},         {"plain", 256, 24.9, 25.9},
    {"strip_of_c", 32, 28.5, 29.8},     {"strip_of_c", 64, 40.4, 43.1},
    {"strip_of_c", 128, 40.5, 43.2},    {"strip_of_c", 256, 41.2, 44.0},
    {"two_rows", 32, 40.4, 43.1},       {"two_rows", 64, 40.7, 43.4},
    {"two_rows", 128, 40.8, 43.6},      {"four_rows", 32, 40.8, 43.4},
    {"four_rows", 64, 40.9, 43.6},      {"four_rows", 128, 39.6, 42.1},
    {"two_columns", 32, 52.7, 57.3},    {"two_columns", 64, 75.2, 84.8},
    {"two_columns", 128, 76.2, 86.3},   {"four_columns", 32, 92.3, 107.4},
    {"four_columns", 64, 131.3, 163.8}, {"four_columns", 128, 134.6, 169.1},
};

Published rung_of(const Rung& rung, const char* figure, double value) {
    return {.suite = "multiply_ladder",
            .variant = rung.variant,
            .shape = {4096, 4096, 4096},
            .constants = {{"GROUP", rung.group}},
            .device = "",
            .value = value,
            .unit = gigaflops,
            .figure = figure,
            .document = &introduction};
}

std::vector<Published> all_published() {
    std::vector<Published> all{
        matvec("row_per_item", 135.9),
        matvec("rows_strided", 135.5),
        matvec("group_serial", 99.7),
        matvec("tree_interleaved", 31.4),
        matvec("tree_sequential", 23.9),
        matvec("warp", 21.7),

        bandwidth("transpose", "naive", gtx_280, 1.1),
        bandwidth("transpose", "tiled", gtx_280, 24.8),
        bandwidth("transpose", "padded", gtx_280, 30.3),
        bandwidth("transpose", "naive", fx_5600, 0.4),
        bandwidth("transpose", "tiled", fx_5600, 13.3),
        bandwidth("transpose", "padded", fx_5600, 15.6),

        offset(gtx_280, 1.7),
        offset(fx_5600, 8),

        bandwidth("multiply", "naive", gtx_280, 8.8),
        bandwidth("multiply", "staged_a", gtx_280, 14.3),
        bandwidth("multiply", "staged_ab", gtx_280, 29.7),
        bandwidth("multiply", "naive", fx_5600, 0.62),
        bandwidth("multiply", "staged_a", fx_5600, 7.34),
        bandwidth("multiply", "staged_ab", fx_5600, 15.5),
    };
    for (const Rung& rung : ladder) {
        all.push_back(rung_of(rung, "overall", rung.overall));
        all.push_back(rung_of(rung, "kernel only", rung.kernel));
    }
    const std::vector<Published> rest{
        {.device = "a CPU that the document does not name",
         .value = 0.969,
         .unit = gigaflops,
         .figure = "the product of 1024x1024 matrices in plain C on the CPU",
         .document = &introduction,
         .row = "multiply_ladder"},
        {.device = "one core of a 3 GHz Intel Xeon",
         .value = 1.7,
         .unit = gigaflops,
         .figure = "a product of matrices on the CPU with loops in the order j, k, i",
         .document = &introduction,
         .row = "multiply_ladder"},

        smoothing("plain", {664, 1024}, 57),
        smoothing("staged", {664, 1024}, 19),
        smoothing("padded", {664, 1024}, 16),
        smoothing("padded_staged", {664, 1024}, 13),
        smoothing("padded", {1024, 664}, 13),
        smoothing("padded_staged", {1024, 664}, 12),
        smoothing("pitched", {664, 1024}, 16),
        smoothing("pitched_staged", {664, 1024}, 12),

        bandwidth("transfer", "to_device", "PCI-e x16 Gen2", 8),
        bandwidth("ceiling", "copy", gtx_280, 141),

        {.device = "",
         .value = 64,
         .unit = items,
         .figure = "the least size of a group",
         .document = &optimization,
         .row = "configuration"},
        {.device = "",
         .value = 256,
         .unit = items,
         .figure = "a larger size that may be better, and should be tried",
         .document = &optimization,
         .row = "configuration"},
        {.device = "",
         .value = 100,
         .unit = times_faster,
         .figure = "the latency of local memory against that of global memory (about)",
         .document = &optimization,
         .row = "memory_spaces"},

        {.suite = "ceiling",
         .variant = "copy",
         .device = gtx_280,
         .value = 141.6,
         .unit = gigabytes_per_second,
         .figure = "theoretical",
         .document = &introduction},
    };
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

}  // namespace

const std::vector<OccupancyExample>& occupancy_examples() {
    static const std::vector<OccupancyExample> all{
        {"1.0", 192, 20, 68, 50, &optimization},   {"1.0", 256, 10, 0, 100, &optimization},
        {"1.0", 256, 11, 0, 66, &optimization},    {"1.0", 128, 11, 0, 83, &optimization},
        {"1.3", 256, 8, 2048, 100, &introduction},
    };
    return all;
}

const std::vector<Published>& published() {
    static const std::vector<Published> all = all_published();
    return all;
}

}  // namespace parallax
