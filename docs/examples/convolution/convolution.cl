// A picture under a square of weights; what lies beyond the edge counts as the edge.

__kernel void direct(const int width, const int height, __global const float* in,
                     __constant float* weights, __global float* out) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int j = -RADIUS; j <= RADIUS; ++j) {
        const int row = clamp(y + j, 0, height - 1);
        for (int i = -RADIUS; i <= RADIUS; ++i) {
            const int column = clamp(x + i, 0, width - 1);
            const float weight = weights[(j + RADIUS) * (2 * RADIUS + 1) + i + RADIUS];
            sum = fma(weight, in[row * width + column], sum);
        }
    }
    out[y * width + x] = sum;
}

// A group loads the part of the picture that it needs, and a border of RADIUS around it, once.
__kernel void tiled(const int width, const int height, __global const float* in,
                    __constant float* weights, __local float* tile, __global float* out) {
    const int local_x = get_local_id(0), local_y = get_local_id(1);
    const int items_x = get_local_size(0), items_y = get_local_size(1);
    const int left = (int)get_group_id(0) * items_x - RADIUS;
    const int top = (int)get_group_id(1) * items_y - RADIUS;
    const int tile_width = items_x + 2 * RADIUS, tile_height = items_y + 2 * RADIUS;
    for (int j = local_y; j < tile_height; j += items_y) {
        const int row = clamp(top + j, 0, height - 1);
        for (int i = local_x; i < tile_width; i += items_x) {
            tile[j * tile_width + i] = in[row * width + clamp(left + i, 0, width - 1)];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int j = 0; j <= 2 * RADIUS; ++j) {
        for (int i = 0; i <= 2 * RADIUS; ++i) {
            sum = fma(weights[j * (2 * RADIUS + 1) + i], tile[(local_y + j) * tile_width + local_x + i],
                      sum);
        }
    }
    out[y * width + x] = sum;
}
