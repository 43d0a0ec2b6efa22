// Choices: a scalar condition chooses one side, a vector condition chooses by its top bits.

// By a comparison of vectors.
//! in: float4 64 special
//! in: float4 64 special
//! out: float4 64
//! launch: 64 by 32
__kernel void choose_by_comparison(__global const float4* a, __global const float4* b,
                                   __global float4* out) {
    int i = get_global_id(0);
    out[i] = a[i] > b[i] ? a[i] : b[i];
}

// Only the top bit of each component counts.
//! in: int4 64 special
//! in: int4 64 bits
//! out: int4 64
//! launch: 64 by 32
__kernel void choose_by_top_bit(__global const int4* condition, __global const int4* a,
                                __global int4* out) {
    int i = get_global_id(0);
    out[i] = condition[i] ? a[i] : ~a[i];
}

// Scalars spread over what a vector chooses between.
//! in: int4 64 small
//! out: float4 64
//! launch: 64 by 32
__kernel void choose_scalars(__global const int4* in, __global float4* out) {
    int i = get_global_id(0);
    float4 one = (float4)(1.0f);
    out[i] = in[i] > 0 ? one : in[i] < 0 ? -one : (float4)(0.5f);
}

// A scalar condition between vectors.
//! in: float4 64 bits
//! in: int 64 small
//! out: float4 64
//! launch: 64 by 32
__kernel void choose_whole(__global const float4* in, __global const int* flags,
                           __global float4* out) {
    int i = get_global_id(0);
    out[i] = flags[i] > 0 ? in[i] : in[i].wzyx;
}

// Between scalars of different types: the usual conversions.
//! in: int 64 small
//! out: float 64
//! out: ulong 64
//! launch: 64 by 32
__kernel void choose_types(__global const int* in, __global float* floats,
                           __global ulong* wide) {
    int i = get_global_id(0);
    floats[i] = in[i] & 1 ? in[i] : 0.5f;
    wide[i] = in[i] > 0 ? 1u : -1;
}

// Only the chosen side takes effect.
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void choose_effects(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    int a = 0, b = 0;
    int c = in[i] > 0 ? ++a : (b -= 2, b);
    out[i] = a * 100 + b * 10 + c;
}

// Swizzled components of narrow elements.
//! in: uchar4 64 bits
//! in: uchar4 64 bits
//! out: uchar4 64
//! launch: 64 by 32
__kernel void choose_bytes(__global const uchar4* a, __global const uchar4* b,
                           __global uchar4* out) {
    int i = get_global_id(0);
    uchar4 v = a[i];
    v.xy = a[i].xy > b[i].zw ? a[i].xy : b[i].zw;
    out[i] = v;
}

// As pointers.
//! in: float 64 bits
//! in: float 64 bits
//! out: float 64
//! launch: 64 by 32
__kernel void choose_pointers(__global const float* a, __global const float* b,
                              __global float* out) {
    int i = get_global_id(0);
    __global const float* from = i % 3 ? a : b;
    out[i] = (i & 1 ? from : a)[i];
}

// Scalars on both sides: one for each component of the condition.
//! in: float4 64 small
//! in: float4 64 small
//! out: float4 64
//! out: int4 64
//! out: ulong2 64
//! launch: 64 by 32
__kernel void choose_between_scalars(__global const float4* a, __global const float4* b,
                                     __global float4* floats, __global int4* ints,
                                     __global ulong2* wide) {
    int i = get_global_id(0);
    float4 v = a[i], w = b[i];
    const float slope = 0.25f;
    v = v * (v > 0.0f ? 1.0f : slope) + (v < w ? w.x : 0.0f);
    floats[i] = v > w ? (v == w ? 1.0f : i) : w;
    ints[i] = (v > w ? 1 : 0) + ((w > 2 ? i : 3) << 2) + (v > w && v > 1 ? -1 : b[i].x > 0);
    ulong2 u = (ulong2)(i, 5);
    wide[i] = u > 7 ? 3UL : u.y;
}

// A choice of two narrow values is an int.
//! in: char 64 bits
//! in: uchar 64 bits
//! out: int 64
//! out: int 64
//! launch: 64 by 32
__kernel void choose_narrow(__global const char* a, __global const uchar* b, __global int* bits,
                            __global int* sizes) {
    int i = get_global_id(0);
    short s = a[i];
    bool t = b[i] & 1;
    bits[i] = popcount(i & 1 ? a[i] : a[i]) + 100 * clz(i & 2 ? b[i] : b[i]) +
              10000 * (int)mul_hi(i & 1 ? s : s, i & 2 ? s : s) +
              rotate(t ? a[i] : (i & 3 ? a[i] : a[i]), 3);
    float x = b[i];
    sizes[i] = sizeof(i ? a[i] : a[i]) + 10 * sizeof(i ? t : t) + 100 * sizeof(i ? s : s) +
               1000 * sizeof(isnan(x)) + 10000 * sizeof(i ? x : x) + 100000 * sizeof(a[i]);
}
