// as_*: the same bits as another type.

// Floats and integers.
//! in: float 64 special
//! in: uint 64 bits
//! out: int 64
//! out: float 64
//! launch: 64 by 32
__kernel void as_scalars(__global const float* a, __global const uint* b, __global int* x,
                         __global float* y) {
    int i = get_global_id(0);
    x[i] = as_int(a[i]) ^ as_int(b[i]);
    y[i] = as_float(b[i] & 0x3fffffffu);
}

// Vectors of as many components.
//! in: float4 64 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void as_same_width(__global const float4* in, __global uint4* out) {
    int i = get_global_id(0);
    out[i] = as_uint4(in[i]) & 0x7fffffffu;
}

// One word as four bytes, and back.
//! in: uint 64 bits
//! out: uint 64
//! launch: 64 by 32
__kernel void as_bytes(__global const uint* in, __global uint* out) {
    int i = get_global_id(0);
    uchar4 bytes = as_uchar4(in[i]);
    out[i] = as_uint(bytes.wzyx);
}

// Words as halves of longs.
//! in: long 64 bits
//! in: int2 64 bits
//! out: int2 64
//! out: ulong 64
//! launch: 64 by 32
__kernel void as_halves(__global const long* a, __global const int2* b, __global int2* x,
                        __global ulong* y) {
    int i = get_global_id(0);
    x[i] = as_int2(a[i]).yx;
    y[i] = as_ulong(b[i]);
}

// Wide ones: sixteen bytes, eight shorts, four words, two longs.
//! in: uchar16 32 bits
//! out: int4 32
//! out: ushort8 32
//! out: long2 32
//! launch: 32 by 32
__kernel void as_wide(__global const uchar16* in, __global int4* a, __global ushort8* b,
                      __global long2* c) {
    int i = get_global_id(0);
    a[i] = as_int4(in[i]);
    b[i] = as_ushort8(in[i].s1032547698badcfe);
    c[i] = as_long2(as_uint4(in[i]).wzyx);
}

// Three as three, three of four.
//! in: float3 64 bits
//! out: int3 64
//! out: float3 64
//! launch: 64 by 32
__kernel void as_three(__global const float3* in, __global int3* a, __global float3* b) {
    int i = get_global_id(0);
    a[i] = as_int3(in[i]);
    b[i] = as_float3(as_uint3(in[i]) ^ 0x80000000u);
}

// Doubles and longs.
//! in: double 64 special
//! out: long 64
//! out: double 64
//! launch: 64 by 32
//! needs: double
__kernel void as_doubles(__global const double* in, __global long* a, __global double* b) {
    int i = get_global_id(0);
    a[i] = as_long(in[i]);
    b[i] = as_double(as_ulong(in[i]) ^ 0x8000000000000000UL);
}

// The sign of narrow results.
//! in: uchar4 64 bits
//! out: int4 64
//! out: short 64
//! launch: 64 by 32
__kernel void as_signed(__global const uchar4* in, __global int4* a, __global short* b) {
    int i = get_global_id(0);
    a[i] = convert_int4(as_char4(in[i]));
    b[i] = as_short(in[i].xy);
}
