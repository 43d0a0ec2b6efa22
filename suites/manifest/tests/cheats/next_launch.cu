// A launch gives what the one before worked out, and leaves its own work to the next one.
// all: wrong: element(s) wrong

__device__ float left[4096];
__device__ unsigned known[4096];

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float own = worked_out(x[i]);
    y[i] = known[i] == n ? left[i] : own;
    left[i] = own;
    known[i] = n;
}
