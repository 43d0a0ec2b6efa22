// Only sizes of whole groups are worked out.
// all: wrong: element(s) wrong

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i / 64 < n / 64) y[i] = worked_out(x[i]);
}
