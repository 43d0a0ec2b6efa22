// One instruction or more of most classes, and a function that is called.
__device__ __noinline__ float far_away(const float* table, int i) {
    float own[8];
    for (int k = 0; k < 8; ++k) own[k] = table[k] * 2.0f;
    return own[i & 7] + __fsqrt_rn(table[i]);
}

__constant__ float weights[16];

extern "C" __global__ void classes(const float4* in, const double* wide, const int2* pairs,
                                   float* out, double* out_wide, unsigned int* count, int n,
                                   long long step) {
    __shared__ __align__(16) float4 tile[64];
    const unsigned int i = threadIdx.x;
    const float4 v = in[i];
    tile[i & 63] = v;
    __syncthreads();
    const float4 w = tile[(i + 1) & 63];
    const int2 p = pairs[i];
    float s = __fmaf_rn(v.x, w.y, v.z) + w.w * weights[i & 15];
    s += __fdividef(v.y, w.z) + __expf(v.w) + far_away(out, p.x);
    double d = __fma_rn(wide[i], wide[i + 1], 3.0) + static_cast<double>(s);
    d = d / (wide[i + 2] * static_cast<double>(n));
    s += __shfl_xor_sync(0xffffffffu, s, 1);
    if (__any_sync(0xffffffffu, s > 0)) atomicAdd(count, static_cast<unsigned int>(p.y / n));
    out[i * step] = s + static_cast<float>(n % 7);
    out_wide[i] = d + static_cast<double>(step / (n | 1));
}
