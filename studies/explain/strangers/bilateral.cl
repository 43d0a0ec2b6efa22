// Smooths an image and keeps its edges: near pixels count, and among them those that are alike.
__kernel void bilateral(__global const float* restrict in, __global float* restrict out,
                        const int width, const int height) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    const float centre = in[y * width + x];
    float sum = 0.0f, weights = 0.0f;
    for (int j = -3; j <= 3; ++j) {
        const int row = clamp(y + j, 0, height - 1) * width;
        for (int i = -3; i <= 3; ++i) {
            const float value = in[row + clamp(x + i, 0, width - 1)];
            const float d = value - centre;
            const float w = native_exp(-0.1f * (float)(i * i + j * j) - 20.0f * (d * d));
            sum += w * value;
            weights += w;
        }
    }
    out[y * width + x] = sum / weights;
}
