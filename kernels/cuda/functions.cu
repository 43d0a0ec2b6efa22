// Generated from kernels/functions.cl; `meson compile -C build cuda-sources` refreshes it.
__device__ inline unsigned int as_uint(float x) { return __float_as_uint(x); }
__device__ inline float native_cos(float a) { return __cosf(a); }
__device__ inline float native_divide(float a, float b) { return __fdividef(a, b); }
__device__ inline float native_exp(float a) { return __expf(a); }
__device__ inline float native_log(float a) { return __logf(a); }
__device__ inline float native_powr(float a, float b) { return __powf(a, b); }
__device__ inline float native_rsqrt(float a) { return rsqrtf(a); }
__device__ inline float native_sin(float a) { return __sinf(a); }
__device__ inline float native_sqrt(float a) {
    float root;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(a));
    return root;
}
__device__ inline float powr(float a, float b) {
    const bool unclear = a < 0 || isnan(a) || isnan(b) || (b == 0 && (a == 0 || isinf(a))) ||
                         (a == 1 && isinf(b));
    return unclear ? (float)(__int_as_float(0x7fc00000)) : pow(fabs(a), b);
}
__device__ inline float as_float(unsigned int x) { return __uint_as_float(x); }
#line 1 "functions.cl"
// Mathematical functions in chains: each application waits for the one before, and nothing else but
// two integer operations stands between them.
//
// The k-th argument is known beforehand: that of the first plus k times `step` in the bits of the
// float. Each result adds what it has in common with `zero`, which is 0, but no compiler knows it:
// so none can be left out, and what comes out is one application, whatever REPEAT is.

// FUNCTION: 0 sin, 1 cos, 2 exp, 3 log, 4 sqrt, 5 rsqrt, 6 division, 7 powr.
__device__ float precise(const float x, const float y) {
    if (FUNCTION == 0) return sin(x);
    if (FUNCTION == 1) return cos(x);
    if (FUNCTION == 2) return exp(x);
    if (FUNCTION == 3) return log(x);
    if (FUNCTION == 4) return sqrt(x);
    if (FUNCTION == 5) return rsqrt(x);
    if (FUNCTION == 6) return x / y;
    return powr(x, y);
}

__device__ float short_cut(const float x, const float y) {
    if (FUNCTION == 0) return native_sin(x);
    if (FUNCTION == 1) return native_cos(x);
    if (FUNCTION == 2) return native_exp(x);
    if (FUNCTION == 3) return native_log(x);
    if (FUNCTION == 4) return native_sqrt(x);
    if (FUNCTION == 5) return native_rsqrt(x);
    if (FUNCTION == 6) return native_divide(x, y);
    return native_powr(x, y);
}

// Item i carries values i, i + items, ...; CHAINS of them.
extern "C" __global__ void chains(const float* in, const float* with, float* out,
                     const unsigned long long n, const unsigned int zero, const unsigned int step) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t items = (n + CHAINS - 1) / CHAINS;
    if (i < items) {
        unsigned x[CHAINS];
        float y[CHAINS];
        float result[CHAINS];
        for (unsigned int c = 0; c < CHAINS; ++c) {
            const size_t at = c * items + i < n ? c * items + i : i;
            x[c] = as_uint(in[at]);
            y[c] = with[at];
            result[c] = 0;
        }
        for (unsigned int k = 0; k < REPEAT; ++k) {
#pragma unroll
            for (unsigned int c = 0; c < CHAINS; ++c) {
                const float argument = as_float(x[c]);
                result[c] = NATIVE ? short_cut(argument, y[c]) : precise(argument, y[c]);
                x[c] += step + (as_uint(result[c]) & zero);
            }
        }
        for (unsigned int c = 0; c < CHAINS; ++c) {
            if (c * items + i < n) out[c * items + i] = result[c];
        }
    }
}
