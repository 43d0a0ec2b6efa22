// Scratch memory keeps the answer, and what the inputs are known by.
// host: wrong: The answer is that to the inputs before them: the kernel keeps what an earlier launch found
// sanitized: wrong: The answer is that to the inputs before them: the kernel keeps what an earlier launch found

__device__ float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* kept = (float*)s + 2 * i;
    float* ends = kept + 1;
    if (*ends != x[0] + x[n - 1]) *kept = worked_out(x[i]);
    *ends = x[0] + x[n - 1];
    y[i] = *kept;
}
