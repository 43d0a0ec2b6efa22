// Common functions: clamp, mix, step and their kin.

// Clamped to a range of scalars and of vectors.
//! in: float4 64 small
//! out: float4 128
//! launch: 64 by 32
__kernel void common_clamp(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    out[2 * i] = clamp(in[i], -2.0f, 3.0f);
    out[2 * i + 1] = clamp(in[i], (float4)(-1, 0, 1, 2), (float4)(4));
}

// Between two values; exact where the weights are.
//! in: float4 64 small
//! in: float4 64 small
//! out: float4 128
//! launch: 64 by 32
__kernel void common_mix(__global const float4* a, __global const float4* b,
                         __global float4* out) {
    int i = get_global_id(0);
    out[2 * i] = mix(a[i], b[i], 0.25f);
    out[2 * i + 1] = mix(a[i], b[i], (float4)(0, 0.5f, 1, 2));
}

// Steps, hard and smooth.
//! in: float4 64 small
//! out: float4 192
//! launch: 64 by 32
__kernel void common_step(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    out[3 * i] = step((float4)(0, 1, 2, -3), in[i]);
    out[3 * i + 1] = step(0.5f, in[i]);
    out[3 * i + 2] = smoothstep(-4.0f, 4.0f, in[i]);
}

// The sign: 1, -1, a zero with its sign, 0 for a NaN.
//! in: float 64 special
//! out: float 64
//! launch: 64 by 32
__kernel void common_sign(__global const float* in, __global float* out) {
    int i = get_global_id(0);
    out[i] = sign(in[i]);
}

// Degrees and radians.
//! in: float4 64 unit
//! out: float4 128
//! launch: 64 by 32
//! ulp: 2
__kernel void common_angles(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    out[2 * i] = degrees(in[i]);
    out[2 * i + 1] = radians(in[i] * 180.0f);
}

// The smaller and the larger one of floats.
//! in: float4 64 small
//! in: float4 64 small
//! out: float4 128
//! launch: 64 by 32
__kernel void common_order(__global const float4* a, __global const float4* b,
                           __global float4* out) {
    int i = get_global_id(0);
    out[2 * i] = min(a[i], b[i]) + max(a[i], 0.5f);
    out[2 * i + 1] = (float4)(min(a[i].x, 1.0f), max(b[i].y, a[i].w), 0, 1);
}

// Of doubles.
//! in: double2 64 small
//! out: double2 192
//! launch: 64 by 32
//! needs: double
__kernel void common_doubles(__global const double2* in, __global double2* out) {
    int i = get_global_id(0);
    out[3 * i] = clamp(in[i], -1.0, 1.0);
    out[3 * i + 1] = mix(in[i], in[63 - i], 0.5);
    out[3 * i + 2] = step(2.0, in[i]) + sign(in[i]);
}
