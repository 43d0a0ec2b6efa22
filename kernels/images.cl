// Sums of 3 x 3 neighbourhoods, from a buffer and from an image of the same numbers. Which texel an
// item is at is what differs: neighbouring items along a row, along a column, within a square tile,
// or each somewhere near its own place. Coordinates are held within the image by the kernels.

// The nearest place of an image that has `end` of them.
int held(const int at, const int end) { return at < 0 ? 0 : at < end ? at : end - 1; }

float sum_in_buffer(__global const float* in, const int x, const int y, const int width,
                    const int height) {
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            sum += in[(size_t)held(y + dy, height) * width + held(x + dx, width)];
        }
    }
    return sum;
}

float sum_in_image(__read_only image2d_t in, const int x, const int y, const int width,
                   const int height) {
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            sum += read_imagef(in, (int2)(held(x + dx, width), held(y + dy, height))).x;
        }
    }
    return sum;
}

// A number that looks random, the same for the same item.
uint mixed(const uint x, const uint y) {
    const uint sum = x * 2654435761u + y * 2246822519u;
    return (sum ^ (sum >> 15)) * 2654435761u;
}

// How far an item goes from its own place by such a number's lowest bits: -8 to 7.
int scatter(const uint bits) { return (int)(bits & 15u) - 8; }

// Every second bit, from the lowest on: 8 of them make 4.
uint every_second(const uint bits) {
    return (bits & 1u) | ((bits >> 1) & 2u) | ((bits >> 2) & 4u) | ((bits >> 3) & 8u);
}

// Neighbouring items are neighbours of a row.
__kernel void buffer_rows(__global const float* in, __global float* out, const int width,
                          const int height) {
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x < width && y < height) {
        out[(size_t)y * width + x] = sum_in_buffer(in, x, y, width, height);
    }
}

__kernel void image_rows(__read_only image2d_t in, __global float* out, const int width,
                         const int height) {
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x < width && y < height) {
        out[(size_t)y * width + x] = sum_in_image(in, x, y, width, height);
    }
}

// Neighbouring items are neighbours of a column; what they write lies side by side all the same.
__kernel void buffer_columns(__global const float* in, __global float* out, const int width,
                             const int height) {
    const int x = (int)get_global_id(1), y = (int)get_global_id(0);
    if (x < width && y < height) {
        out[(size_t)x * height + y] = sum_in_buffer(in, x, y, width, height);
    }
}

__kernel void image_columns(__read_only image2d_t in, __global float* out, const int width,
                            const int height) {
    const int x = (int)get_global_id(1), y = (int)get_global_id(0);
    if (x < width && y < height) {
        out[(size_t)x * height + y] = sum_in_image(in, x, y, width, height);
    }
}

// A group of 256 is a square of 16 x 16, its items in Z-order: 4 of them a square of 2 x 2, 16 one of
// 4 x 4. Places beyond the image give 0.
__kernel void buffer_tiles(__global const float* in, __global float* out, const int width,
                           const int height) {
    const uint item = (uint)get_local_id(0);
    const int x = (int)(get_group_id(0) * 16u + every_second(item));
    const int y = (int)(get_group_id(1) * 16u + every_second(item >> 1));
    const bool inside = x < width && y < height;
    out[(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 256u + item] =
        inside ? sum_in_buffer(in, x, y, width, height) : 0.0f;
}

__kernel void image_tiles(__read_only image2d_t in, __global float* out, const int width,
                          const int height) {
    const uint item = (uint)get_local_id(0);
    const int x = (int)(get_group_id(0) * 16u + every_second(item));
    const int y = (int)(get_group_id(1) * 16u + every_second(item >> 1));
    const bool inside = x < width && y < height;
    out[(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 256u + item] =
        inside ? sum_in_image(in, x, y, width, height) : 0.0f;
}

// Each item is somewhere within 16 x 16 places around its own.
__kernel void buffer_scattered(__global const float* in, __global float* out, const int width,
                               const int height) {
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x < width && y < height) {
        const int at_x = held(x + scatter(mixed(x, y) >> 20), width);
        const int at_y = held(y + scatter(mixed(x, y) >> 24), height);
        out[(size_t)y * width + x] = sum_in_buffer(in, at_x, at_y, width, height);
    }
}

__kernel void image_scattered(__read_only image2d_t in, __global float* out, const int width,
                              const int height) {
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x < width && y < height) {
        const int at_x = held(x + scatter(mixed(x, y) >> 20), width);
        const int at_y = held(y + scatter(mixed(x, y) >> 24), height);
        out[(size_t)y * width + x] = sum_in_image(in, at_x, at_y, width, height);
    }
}

// One dimension: 9 neighbours around a place within 256 of the item's own.
__kernel void buffer_line(__global const float* in, __global float* out, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const int at = i + 16 * scatter(mixed(i, 0u) >> 20) + scatter(mixed(i, 0u) >> 24);
    float sum = 0.0f;
    for (int d = -4; d <= 4; ++d) sum += in[held(at + d, count)];
    out[i] = sum;
}

__kernel void image_line(__read_only image1d_buffer_t in, __global float* out, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const int at = i + 16 * scatter(mixed(i, 0u) >> 20) + scatter(mixed(i, 0u) >> 24);
    float sum = 0.0f;
    for (int d = -4; d <= 4; ++d) sum += read_imagef(in, held(at + d, count)).x;
    out[i] = sum;
}
