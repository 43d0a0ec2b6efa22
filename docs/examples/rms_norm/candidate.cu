// Each row divided by its root mean square, one warp a row.

extern "C" __global__ void rms_norm(const float* x, float* y, unsigned columns) {
    const unsigned row = blockIdx.x, lane = threadIdx.x;
    float squares = 0.0f;
    for (unsigned column = lane; column < columns; column += 32) {
        const float value = x[row * columns + column];
        squares += value * value;
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, lanes);
    const float scale = rsqrtf(squares / columns + 1e-6f);
    for (unsigned column = lane; column < columns; column += 32) {
        y[row * columns + column] = x[row * columns + column] * scale;
    }
}
