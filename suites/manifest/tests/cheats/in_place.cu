// Inputs are replaced by their answers, which the next launch only copies.
// all: wrong: The kernel altered its input 'x'

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* own = (float*)x;
    own[i] = worked_out(x[i]);
    y[i] = own[i];
}
