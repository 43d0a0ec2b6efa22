// The mean of seven by seven pixels.
__kernel void blur(__global const float* restrict in, __global float* restrict out, const int width,
                   const int height) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int j = -3; j <= 3; ++j) {
        const int row = clamp(y + j, 0, height - 1) * width;
        for (int i = -3; i <= 3; ++i) {
            sum += in[row + clamp(x + i, 0, width - 1)];
        }
    }
    out[y * width + x] = sum * 0.020408163f;
}
