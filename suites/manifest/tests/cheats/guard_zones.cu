// The answer is what lies around its buffers.
// host: wrong: element(s) wrong
// sanitized: failed: outside of its memory

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[n + i % 64];
}
