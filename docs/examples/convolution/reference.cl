// The convolution in double precision, one element a work-item.

__kernel void reference(const int width, const int height, __global const float* in,
                        __global const float* weights, __global float* out) {
    const int x = get_global_id(0), y = get_global_id(1);
    double sum = 0.0;
    for (int j = -RADIUS; j <= RADIUS; ++j) {
        for (int i = -RADIUS; i <= RADIUS; ++i) {
            const int row = min(max(y + j, 0), height - 1), column = min(max(x + i, 0), width - 1);
            sum += (double)weights[(j + RADIUS) * (2 * RADIUS + 1) + i + RADIUS] *
                   (double)in[row * width + column];
        }
    }
    out[y * width + x] = (float)sum;
}
