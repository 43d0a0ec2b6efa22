// Inputs are replaced by their answers, which the next launch only copies.
// host: wrong: The kernel altered its input 'x'
// sanitized: wrong: The kernel altered its input 'x'

__device__ float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* own = (float*)x;
    own[i] = worked_out(x[i]);
    y[i] = own[i];
}
