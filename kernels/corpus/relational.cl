// Functions that ask, and functions that choose by what they answer.

// Kinds of numbers; of scalars the answer is 1.
//! in: float 64 special
//! out: int 64
//! launch: 64 by 32
__kernel void relational_kinds(__global const float* in, __global int* out) {
    int i = get_global_id(0);
    out[i] = isnan(in[i]) + 2 * isinf(in[i]) + 4 * isfinite(in[i]) + 8 * signbit(in[i]);
}

// Of vectors it is -1.
//! in: float4 64 special
//! out: int4 256
//! launch: 64 by 32
__kernel void relational_kinds_vectors(__global const float4* in, __global int4* out) {
    int i = get_global_id(0);
    out[4 * i] = isnan(in[i]);
    out[4 * i + 1] = isinf(in[i]);
    out[4 * i + 2] = isfinite(in[i]);
    out[4 * i + 3] = signbit(in[i]);
}

// Comparisons by name, scalar.
//! in: float 256 special
//! in: float 256 special
//! out: int 256
//! launch: 256 by 64
__kernel void relational_compare(__global const float* a, __global const float* b,
                                 __global int* out) {
    int i = get_global_id(0);
    float x = a[i], y = b[i];
    out[i] = isequal(x, y) + 2 * isnotequal(x, y) + 4 * isgreater(x, y) +
             8 * isgreaterequal(x, y) + 16 * isless(x, y) + 32 * islessequal(x, y) +
             64 * islessgreater(x, y) + 128 * isordered(x, y) + 256 * isunordered(x, y);
}

// The same, of vectors.
//! in: float2 128 special
//! in: float2 128 special
//! out: int2 128
//! launch: 128 by 64
__kernel void relational_compare_vectors(__global const float2* a, __global const float2* b,
                                         __global int2* out) {
    int i = get_global_id(0);
    float2 x = a[i], y = b[i];
    out[i] = (isequal(x, y) & 1) + (isnotequal(x, y) & 2) + (isless(x, y) & 4) +
             (isgreaterequal(x, y) & 8) + (isordered(x, y) & 16) + (isunordered(x, y) & 32);
}

// any and all look at the top bit.
//! in: int4 64 special
//! out: int4 64
//! launch: 64 by 32
__kernel void relational_any_all(__global const int4* in, __global int4* out) {
    int i = get_global_id(0);
    out[i] = (int4)(any(in[i]), all(in[i]), any(in[i].xy), all(in[i].x));
}

// select: of vectors by the top bit, of scalars by not being zero.
//! in: float4 64 bits
//! in: float4 64 bits
//! in: int4 64 special
//! out: float4 64
//! out: float 64
//! launch: 64 by 32
__kernel void relational_select(__global const float4* a, __global const float4* b,
                                __global const int4* c, __global float4* out,
                                __global float* scalar) {
    int i = get_global_id(0);
    out[i] = select(a[i], b[i], c[i]);
    scalar[i] = select(a[i].x, b[i].x, c[i].x);
}

// bitselect: bit by bit.
//! in: uint4 64 bits
//! in: uint4 64 bits
//! in: uint4 64 bits
//! out: uint4 64
//! out: float 64
//! launch: 64 by 32
__kernel void relational_bitselect(__global const uint4* a, __global const uint4* b,
                                   __global const uint4* c, __global uint4* out,
                                   __global float* floats) {
    int i = get_global_id(0);
    out[i] = bitselect(a[i], b[i], c[i]);
    floats[i] = bitselect((float)i, -0.0f, as_float(0x80000000u));
}

// Narrow and wide conditions.
//! in: uchar4 64 bits
//! in: char4 64 bits
//! in: long2 64 special
//! out: uchar4 64
//! out: long2 64
//! launch: 64 by 32
__kernel void relational_select_widths(__global const uchar4* a, __global const char4* c,
                                       __global const long2* d, __global uchar4* x,
                                       __global long2* y) {
    int i = get_global_id(0);
    x[i] = select(a[i], (uchar4)(1, 2, 3, 4), c[i]);
    y[i] = select(d[i], ~d[i], d[i].yx);
}

// Doubles: an int of a scalar, longs of a vector.
//! in: double2 64 special
//! in: double2 64 special
//! out: long2 64
//! out: int 64
//! launch: 64 by 32
//! needs: double
__kernel void relational_doubles(__global const double2* a, __global const double2* b,
                                 __global long2* out, __global int* scalar) {
    int i = get_global_id(0);
    out[i] = isless(a[i], b[i]) + isnan(a[i]);
    scalar[i] = isgreater(a[i].x, b[i].x) + isinf(a[i].y);
}

// Components taken from anywhere: shuffle and shuffle2.
//! in: float4 64 bits
//! in: uchar8 64 bits
//! in: uint4 64 bits
//! out: float4 64
//! out: uchar4 64
//! launch: 64 by 32
__kernel void relational_shuffle(__global const float4* a, __global const uchar8* b,
                                 __global const uint4* mask, __global float4* x,
                                 __global uchar4* y) {
    int i = get_global_id(0);
    x[i] = shuffle2(a[i], a[63 - i], mask[i]);
    y[i] = shuffle(b[i], convert_uchar4(mask[i]));
}

// Neither a zero, nor denormal, nor infinite, nor a NaN.
//! in: float4 64 special
//! out: int4 64
//! out: int 64
//! launch: 64 by 32
//! like: relational_normal_written
//! wrong: Portable PoCL 3.1 calls denormal numbers normal.
__kernel void relational_normal(__global const float4* in, __global int4* out,
                                __global int* scalar) {
    int i = get_global_id(0);
    out[i] = isnormal(in[i]);
    scalar[i] = isnormal(in[i].x);
}

// The same by comparisons.
//! in: float4 64 special
//! out: int4 64
//! out: int 64
//! launch: 64 by 32
__kernel void relational_normal_written(__global const float4* in, __global int4* out,
                                        __global int* scalar) {
    int i = get_global_id(0);
    out[i] = fabs(in[i]) >= FLT_MIN && fabs(in[i]) <= FLT_MAX;
    scalar[i] = fabs(in[i].x) >= FLT_MIN && fabs(in[i].x) <= FLT_MAX;
}
