// Generated from kernels/divergence.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "divergence.cl"
// Paths through a kernel: what it costs when neighbours take different ones.
//
// Path p is a chain of ROUNDS fused multiply-adds with coefficients of its own. The loop over all
// paths is the same for all items, and so are its loads; an item enters the one that is its own.
// Where neighbours differ, a warp goes through all of them, one after the other.

// MODE 0: items side by side take different paths. MODE 1: warps side by side do, and all items of
// a warp the same.
__device__ unsigned int path_of(const size_t i, const unsigned int paths) {
    return (unsigned int)((MODE == 0 ? i : i / WARP) % paths);
}

extern "C" __global__ void chains(const float* in, const float* coefficients, float* out,
                     const unsigned long long n, const unsigned int paths) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < n) {
        const unsigned int mine = path_of(i, paths);
        float x = in[i];
        for (unsigned int path = 0; path < paths; ++path) {
            if (path == mine) {
                const float a = coefficients[2 * path];
                const float b = coefficients[2 * path + 1];
                for (unsigned int r = 0; r < ROUNDS; ++r) x = fma(x, a, b);
            }
        }
        out[i] = x;
    }
}
