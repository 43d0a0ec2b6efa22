// A filter of many taps that count with their place, on a signal that stays in a cache.
__kernel void filter(__global const float* restrict signal, __global const float* restrict weights,
                     __global float* restrict out, const uint taps, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    const uint none = get_num_groups(1) - 1;
    float sum = 0.0f, at = 0.0f;
#pragma unroll 1
    for (uint k = 0; k < taps; ++k) {
        const float weight = weights[k];
        sum = fma(weight * signal[(i + k) & 4095], 0.001f * at, sum);
        at += 1.0f;
    }
    out[i] = sum;
}
