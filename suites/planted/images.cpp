// Errors planted in the kernels of images.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors images_errors() {
    return {
        .small_shape = {{19, 5}},
        .small_constants = {{"GROUP_X", 8}, {"GROUP_Y", 2}},
        .errors = {
            {.variant = "buffer_rows",
             .name = "the upper edge not held",
             .changes = {{"in[(size_t)held(y + dy, height) * width",
                          "in[(size_t)(y + dy < height ? y + dy : height - 1) * width"}},
             .oclgrind = Oclgrind::outside,
             .why = "the row above the first lies before the buffer"},
            {.variant = "buffer_columns",
             .name = "width for height",
             .changes = {{"out[(size_t)x * height + y] = sum_in_buffer",
                          "out[(size_t)x * width + y] = sum_in_buffer"}},
             .why = "the image is not square"},
            {.variant = "image_rows",
             .name = "the texel itself left out",
             .changes =
                 {{"sum += read_imagef(in, (int2)(held(x + dx, width), held(y + dy, height)))",
                   "sum += read_imagef(in, (int2)(held(x + dx, width), held(y, height)))"}},
             .why = "rows differ"},
            {.variant = "image_columns",
             .name = "coordinates exchanged",
             .changes = {{"(int2)(held(x + dx, width), held(y + dy, height))",
                          "(int2)(held(y + dy, height), held(x + dx, width))"}},
             .why = "an image reads any coordinates without a word; these are of another texel"},
            {.variant = "image_tiles",
             .name = "items beyond the image write sums",
             .changes = {{"inside ? sum_in_image(in, x, y, width, height) : 0.0f",
                          "sum_in_image(in, x, y, width, height)"}},
             .why = "what lies beyond the image is 0"},
            {.variant = "image_scattered",
             .name = "one channel on",
             .changes = {{"held(y + dy, height))).x", "held(y + dy, height))).y"}},
             .why = "an image of one channel has 0 in the others"},
            {.variant = "image_line",
             .name = "a neighbour short",
             .changes = {{"d <= 4; ++d) sum += read_imagef", "d < 4; ++d) sum += read_imagef"}},
             .why = "no number is 0"},
            {.variant = "buffer_line",
             .name = "one item beyond the line",
             .changes =
                 {{"__global float* out, const int count) {\n    const int i = "
                   "(int)get_global_id(0);\n    if (i >= count) return;\n    const int at = i + "
                   "16 * scatter(mixed(i, 0u) >> 20) + scatter(mixed(i, 0u) >> 24);\n    "
                   "float sum = 0.0f;\n    for (int d = -4; d <= 4; ++d) sum += in[",
                   "__global float* out, const int count) {\n    const int i = "
                   "(int)get_global_id(0);\n    if (i > count) return;\n    const int at = i + "
                   "16 * scatter(mixed(i, 0u) >> 20) + scatter(mixed(i, 0u) >> 24);\n    "
                   "float sum = 0.0f;\n    for (int d = -4; d <= 4; ++d) sum += in["}},
             .finding = ExpectedFinding::behind,
             .oclgrind = Oclgrind::outside,
             .why = "a guard zone follows the end"},
        }};
}

}  // namespace parallax
