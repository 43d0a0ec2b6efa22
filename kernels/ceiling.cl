// What a device can do at most: chains of fused multiply-adds that wait for nothing, and launches
// that do next to nothing.

// Item i carries CHAINS values, `n` apart, through ROUNDS times UNROLL steps of x = x * a + b.
__kernel void fma_chains(__global const T* in, __global const T* coefficients, __global T* out,
                         const ulong n) {
    const size_t i = get_global_id(0);
    if (i < n) {
        const T a = coefficients[0];
        const T b = coefficients[1];
        T x[CHAINS];
        for (uint c = 0; c < CHAINS; ++c) x[c] = in[c * n + i];
        for (uint r = 0; r < ROUNDS; ++r) {
#pragma unroll
            for (uint s = 0; s < UNROLL; ++s) {
#pragma unroll
                for (uint c = 0; c < CHAINS; ++c) x[c] = fma(x[c], a, b);
            }
        }
        for (uint c = 0; c < CHAINS; ++c) out[c * n + i] = x[c];
    }
}

// One group copies n elements. With n = 1 nearly all of its time is that of the launch.
__kernel void launch(__global const T* in, __global T* out, const ulong n) {
    for (ulong i = get_local_id(0); i < n; i += GROUP) out[i] = in[i];
}
