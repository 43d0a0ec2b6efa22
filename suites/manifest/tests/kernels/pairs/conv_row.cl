// cuda: {"source": "conv_row.cu", "kernel": "convolutionRow", "items": [128, 2], "symbols": {"taps": "c_taps"}}
// groups: ceil(width / items_x), ceil(height / items_y)
// dst: output width * height
// src: input width * height
// taps: input 17
// width: width
// height: height
#define RADIUS 8
__kernel void conv_row(__global float* dst, __global const float* src, __constant float* taps,
                       int width, int height) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; ++k)
        sum += taps[k + RADIUS] * src[y * width + clamp(x + k, 0, width - 1)];
    dst[y * width + x] = sum;
}
