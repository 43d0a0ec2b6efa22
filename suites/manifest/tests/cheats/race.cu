// Items read what others write, without a barrier: right where items go in order.
// sanitized: failed: a race

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __shared__ float part[64];
    const unsigned l = threadIdx.x;
    part[l] = x[i];
    const float left = l > 0 ? part[l - 1] : 0;
    y[i] = worked_out(x[i]) + 0 * left;
}
