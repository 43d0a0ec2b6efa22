// Each row divided by its root mean square, one thread a row.

extern "C" __global__ void rms_norm(const float* x, float* y, unsigned rows, unsigned columns) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float squares = 0.0f;
    for (unsigned column = 0; column < columns; ++column) {
        const float value = x[row * columns + column];
        squares += value * value;
    }
    const float scale = 1.0f / sqrtf(squares / columns + 1e-6f);
    for (unsigned column = 0; column < columns; ++column) {
        y[row * columns + column] = x[row * columns + column] * scale;
    }
}
