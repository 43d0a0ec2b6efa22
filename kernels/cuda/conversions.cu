// Generated from kernels/conversions.cl; `meson compile -C build cuda-sources` refreshes it.
#line 1 "conversions.cl"
// A constant of double in arithmetic of float, by one letter that is missing.
//
// Step k multiplies and adds k + 1. With STRAY the factor is a double: the value is made a double,
// so are product and sum, and only the result is a float again.

__device__ float step_of(const float x, const float sum) {
    if (STRAY) return x * 0.9 + sum;
    return x * 0.9f + sum;
}

// Item i carries values i, i + items, ...; CHAINS of them.
extern "C" __global__ void chains(const float* in, float* out, const unsigned long long n) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t items = (n + CHAINS - 1) / CHAINS;
    if (i < items) {
        float x[CHAINS];
        for (unsigned int c = 0; c < CHAINS; ++c) x[c] = in[c * items + i < n ? c * items + i : i];
        float sum = 1;
        for (unsigned int k = 0; k < REPEAT; ++k) {
#pragma unroll
            for (unsigned int c = 0; c < CHAINS; ++c) x[c] = step_of(x[c], sum);
            sum += 1;
        }
        for (unsigned int c = 0; c < CHAINS; ++c) {
            if (c * items + i < n) out[c * items + i] = x[c];
        }
    }
}
