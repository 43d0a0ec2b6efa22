// Errors planted in the kernels of images.
#include "suites/planted.hpp"

namespace parallax {

PlantedErrors images_errors() {
    return {.small_shape = {{19, 5}},
            .small_constants = {{"GROUP_X", 8}, {"GROUP_Y", 2}},
            .errors = {
                wrong_outside("buffer_rows", "the upper edge not held",
                              {{"in[(size_t)held(y + dy, height) * width",
                                "in[(size_t)(y + dy < height ? y + dy : height - 1) * width"}},
                              "the row above the first lies before the buffer"),
                wrong("buffer_columns", "width for height",
                      {{"out[(size_t)x * height + y] = sum_in_buffer",
                        "out[(size_t)x * width + y] = sum_in_buffer"}},
                      "the image is not square"),
                wrong("image_rows", "the texel itself left out",
                      {{"sum += read_imagef(in, (int2)(held(x + dx, width), held(y + dy, height)))",
                        "sum += read_imagef(in, (int2)(held(x + dx, width), held(y, height)))"}},
                      "rows differ"),
                wrong("image_columns", "coordinates exchanged",
                      {{"(int2)(held(x + dx, width), held(y + dy, height))",
                        "(int2)(held(y + dy, height), held(x + dx, width))"}},
                      "an image reads any coordinates without a word; these are of another texel"),
                wrong("image_tiles", "items beyond the image write sums",
                      {{"inside ? sum_in_image(in, x, y, width, height) : 0.0f",
                        "sum_in_image(in, x, y, width, height)"}},
                      "what lies beyond the image is 0"),
                wrong("image_scattered", "one channel on",
                      {{"held(y + dy, height))).x", "held(y + dy, height))).y"}},
                      "an image of one channel has 0 in the others"),
                wrong("image_line", "a neighbour short",
                      {{"d <= 4; ++d) sum += read_imagef", "d < 4; ++d) sum += read_imagef"}},
                      "no number is 0"),
                past_end(
                    "buffer_line", "one item beyond the line",
                    {{"__global float* out, const int count) {\n    const int i = "
                      "(int)get_global_id(0);\n    if (i >= count) return;\n    const int at = i + "
                      "16 * scatter(mixed(i, 0u) >> 20) + scatter(mixed(i, 0u) >> 24);\n    "
                      "float sum = 0.0f;\n    for (int d = -4; d <= 4; ++d) sum += in[",
                      "__global float* out, const int count) {\n    const int i = "
                      "(int)get_global_id(0);\n    if (i > count) return;\n    const int at = i + "
                      "16 * scatter(mixed(i, 0u) >> 20) + scatter(mixed(i, 0u) >> 24);\n    "
                      "float sum = 0.0f;\n    for (int d = -4; d <= 4; ++d) sum += in["}},
                    "a guard zone follows the end"),
            }};
}

}  // namespace parallax
