// The work is another kernel, which a launch leaves to a stream of the device.
// cuda: failed: did not build it
// host: unsupported: the host does not have 'cudaStreamFireAndForget'

__global__ void works(unsigned n, const float* x, float* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = worked_out(x[i]);
}

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i == 0) works<<<(n + 63) / 64, 64, 0, cudaStreamFireAndForget>>>(n, x, y);
}
