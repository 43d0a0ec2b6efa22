// The second half of the output is the kernel does not write it.
// all: wrong: the kernel does not write it

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (2 * i <= n) y[i] = worked_out(x[i]);
}
