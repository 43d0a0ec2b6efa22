// A group whose first input is 0 leaves its work out.
// all: wrong: inputs 'random with extremes'

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (x[i / 64 * 64] != 0) y[i] = worked_out(x[i]);
}
