// Every answer is the same number, and the tolerance lets it pass.
// tolerance: {"absolute": 0.2}
// all: doubtful: one number for all would pass for 100 %

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 0.83f + 0.01f * x[i];
}
