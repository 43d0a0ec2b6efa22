// It rounds to the ten bits of a half.
// host: wrong: allowed is
// sanitized: wrong: allowed is

__device__ float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = __uint_as_float(__float_as_uint(worked_out(x[i])) & 0xffffe000);
}
