// A launch soon after another one, as in a timed batch, does nothing.
// cuda: wrong: keeps what an earlier launch found
// host: unsupported: The host does not have

__device__ unsigned long long last[4096];

__device__ unsigned long long now() {
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (now() - last[i] > 50000) y[i] = worked_out(x[i]);
    last[i] = now();
}
