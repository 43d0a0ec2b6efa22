// It looks at what lies past the end of its input, and its answer does not show that.
// host: unchecked: Reads outside of buffers
// sanitized: failed: outside of its memory

__device__ float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[n + 1] == 1234.5f ? 0 : worked_out(x[i]);
}
