// Generated from kernels/ceiling.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "ceiling.cl"
// What a device can do at most: chains of fused multiply-adds that wait for nothing, and launches
// that do next to nothing.

// Item i carries CHAINS values, `n` apart, through ROUNDS times UNROLL steps of x = x * a + b.
extern "C" __global__ void fma_chains(const float* in, const float* coefficients, float* out,
                         const unsigned long long n) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < n) {
        const float a = coefficients[0];
        const float b = coefficients[1];
        float x[CHAINS];
        for (unsigned int c = 0; c < CHAINS; ++c) x[c] = in[c * n + i];
        for (unsigned int r = 0; r < ROUNDS; ++r) {
#pragma unroll
            for (unsigned int s = 0; s < UNROLL; ++s) {
#pragma unroll
                for (unsigned int c = 0; c < CHAINS; ++c) x[c] = fma(x[c], a, b);
            }
        }
        for (unsigned int c = 0; c < CHAINS; ++c) out[c * n + i] = x[c];
    }
}

// One group copies n elements. With n = 1 nearly all of its time is that of the launch.
extern "C" __global__ void launch(const float* in, float* out, const unsigned long long n) {
    for (unsigned long long i = size_t(threadIdx.x); i < n; i += GROUP) out[i] = in[i];
}
