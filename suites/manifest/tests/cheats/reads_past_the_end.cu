// It looks at what lies past the end of its input, and its answer does not show that.
// host: unchecked: Reads outside of buffers
// sanitized: failed: outside of its memory

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[n + 1] == 1234.5f ? 0 : worked_out(x[i]);
}
