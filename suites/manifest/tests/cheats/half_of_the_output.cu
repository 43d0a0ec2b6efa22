// The second half of the output is the kernel does not write it.
// host: wrong: the kernel does not write it
// sanitized: wrong: the kernel does not write it

__device__ float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (2 * i <= n) y[i] = worked_out(x[i]);
}
