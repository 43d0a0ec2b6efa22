// Functions whose precision is each implementation's own, on easy arguments.

// native_ ones.
//! in: float4 64 unit
//! out: float4 448
//! launch: 64 by 32
//! ulp: 512
__kernel void native_all(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    float4 x = in[i] + 0.5f;
    out[7 * i] = native_sin(x);
    out[7 * i + 1] = native_cos(x * 0.5f);
    out[7 * i + 2] = native_exp(x);
    out[7 * i + 3] = native_log(x + 2.0f);
    out[7 * i + 4] = native_sqrt(x);
    out[7 * i + 5] = native_rsqrt(x);
    out[7 * i + 6] = native_recip(x);
}

// The rest of them.
//! in: float 64 unit
//! out: float8 64
//! launch: 64 by 32
//! ulp: 1024
__kernel void native_rest(__global const float* in, __global float8* out) {
    int i = get_global_id(0);
    float x = in[i] + 0.5f;
    out[i] = (float8)(native_divide(x, 3.0f), native_exp2(x), native_exp10(x),
                      native_log2(x + 2.0f), native_log10(x + 2.0f), native_powr(x, 1.5f),
                      native_tan(x * 0.5f), 1.0f);
}

// half_ ones: of floats, 8192 ulp allowed.
//! in: float4 64 unit
//! out: float4 448
//! launch: 64 by 32
//! ulp: 16384
__kernel void half_precision(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    float4 x = in[i] + 0.5f;
    out[7 * i] = half_sin(x);
    out[7 * i + 1] = half_cos(x * 0.5f);
    out[7 * i + 2] = half_exp(x);
    out[7 * i + 3] = half_log(x + 2.0f);
    out[7 * i + 4] = half_sqrt(x) + half_rsqrt(x);
    out[7 * i + 5] = half_recip(x);
    out[7 * i + 6] = half_divide(x, x + 1.0f);
}

// The rest of those.
//! in: float 64 unit
//! out: float8 64
//! launch: 64 by 32
//! ulp: 16384
__kernel void half_precision_rest(__global const float* in, __global float8* out) {
    int i = get_global_id(0);
    float x = in[i] + 0.5f;
    out[i] = (float8)(half_powr(x, 1.5f), half_exp2(x), half_exp10(x), half_log2(x + 2.0f),
                      half_log10(x + 2.0f), half_tan(x * 0.5f), 0.0f, 1.0f);
}

// fast_ ones of geometry.
//! in: float4 64 unit
//! in: float4 64 unit
//! out: float4 64
//! out: float2 64
//! launch: 64 by 32
//! ulp: 16384
__kernel void fast_geometry(__global const float4* a, __global const float4* b,
                            __global float4* out, __global float2* lengths) {
    int i = get_global_id(0);
    out[i] = fast_normalize(a[i] + 0.5f);
    lengths[i] = (float2)(fast_length(a[i] + 0.5f), fast_distance(a[i], b[i] + 2.0f));
}
