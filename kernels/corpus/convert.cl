// convert_*: explicit conversions, saturated and with every way of rounding.

// To narrower integers: the low bits.
//! in: int4 64 bits
//! out: uchar4 64
//! out: short4 64
//! launch: 64 by 32
__kernel void convert_narrow(__global const int4* in, __global uchar4* bytes,
                             __global short4* shorts) {
    int i = get_global_id(0);
    bytes[i] = convert_uchar4(in[i]);
    shorts[i] = convert_short4(in[i]);
}

// Saturated from wider integers.
//! in: int4 64 special
//! out: uchar4 64
//! out: char4 64
//! out: ushort4 64
//! out: uint4 64
//! launch: 64 by 32
__kernel void convert_saturated(__global const int4* in, __global uchar4* a, __global char4* b,
                                __global ushort4* c, __global uint4* d) {
    int i = get_global_id(0);
    a[i] = convert_uchar4_sat(in[i]);
    b[i] = convert_char4_sat(in[i]);
    c[i] = convert_ushort4_sat(in[i]);
    d[i] = convert_uint4_sat(in[i]);
}

// Saturated from floats, infinities included.
//! in: float 64 special
//! out: int 64
//! out: uint 64
//! out: uchar 64
//! out: long 64
//! launch: 64 by 32
__kernel void convert_float_saturated(__global const float* in, __global int* a,
                                      __global uint* b, __global uchar* c, __global long* d) {
    int i = get_global_id(0);
    float x = isnan(in[i]) ? 77.5f : in[i];
    a[i] = convert_int_sat(x);
    b[i] = convert_uint_sat(x);
    c[i] = convert_uchar_sat_rte(x);
    d[i] = convert_long_sat(x);
}

// The four ways of rounding to an integer.
//! in: float4 64 small
//! out: int4 256
//! launch: 64 by 32
//! like: convert_rounded_written
//! wrong: Portable PoCL 3.1 rounds the wrong way.
__kernel void convert_rounded(__global const float4* in, __global int4* out) {
    int i = get_global_id(0);
    float4 v = in[i] * 0.25f;
    out[4 * i] = convert_int4_rte(v);
    out[4 * i + 1] = convert_int4_rtz(v);
    out[4 * i + 2] = convert_int4_rtp(v);
    out[4 * i + 3] = convert_int4_rtn(v);
}

// The same by the functions that round.
//! in: float4 64 small
//! out: int4 256
//! launch: 64 by 32
__kernel void convert_rounded_written(__global const float4* in, __global int4* out) {
    int i = get_global_id(0);
    float4 v = in[i] * 0.25f;
    out[4 * i] = convert_int4(rint(v));
    out[4 * i + 1] = convert_int4(trunc(v));
    out[4 * i + 2] = convert_int4(ceil(v));
    out[4 * i + 3] = convert_int4(floor(v));
}

// Integers that no float holds exactly, to the nearest.
//! in: int 64 bits
//! in: ulong 64 bits
//! out: float 64
//! out: float 64
//! launch: 64 by 32
__kernel void convert_to_float(__global const int* a, __global const ulong* b,
                               __global float* x, __global float* y) {
    int i = get_global_id(0);
    x[i] = convert_float(a[i]);
    y[i] = convert_float(b[i]);
}

// The same, rounded in other directions.
//! in: int 64 bits
//! out: float4 64
//! launch: 64 by 32
__kernel void convert_to_float_rounded(__global const int* in, __global float4* out) {
    int i = get_global_id(0);
    out[i] = (float4)(convert_float_rte(in[i]), convert_float_rtz(in[i]),
                      convert_float_rtp(in[i]), convert_float_rtn(in[i]));
}

// Between floats and doubles.
//! in: double 64 special
//! in: float 64 special
//! out: float4 64
//! out: double 64
//! launch: 64 by 32
//! needs: double
__kernel void convert_doubles(__global const double* in, __global const float* narrow,
                              __global float4* out, __global double* wide) {
    int i = get_global_id(0);
    out[i] = (float4)(convert_float(in[i]), convert_float_rtz(in[i]), convert_float_rtp(in[i]),
                      convert_float_rtn(in[i]));
    wide[i] = convert_double(narrow[i]);
}

// Sign and width together, and of a type to itself.
//! in: char4 64 bits
//! out: uint4 64
//! out: long4 64
//! out: char4 64
//! launch: 64 by 32
__kernel void convert_widen(__global const char4* in, __global uint4* a, __global long4* b,
                            __global char4* c) {
    int i = get_global_id(0);
    a[i] = convert_uint4(in[i]);
    b[i] = convert_long4(in[i]);
    c[i] = convert_char4(in[i]);
}

// Eight bytes to floats and back.
//! in: uchar8 32 bits
//! out: float8 32
//! out: uchar8 32
//! launch: 32 by 32
__kernel void convert_eight(__global const uchar8* in, __global float8* floats,
                            __global uchar8* bytes) {
    int i = get_global_id(0);
    float8 v = convert_float8(in[i]) / 2.0f;
    floats[i] = v;
    bytes[i] = convert_uchar8_sat_rte(v * 3.0f - 20.0f);
}

// Casts and implicit conversions of scalars.
//! in: int 64 bits
//! in: float 64 small
//! out: int4 64
//! launch: 64 by 32
__kernel void convert_casts(__global const int* in, __global const float* f,
                            __global int4* out) {
    int i = get_global_id(0);
    uchar u = in[i];
    short s = (short)in[i];
    char c = (char)(in[i] >> 8);
    bool b = f[i];
    out[i] = (int4)(u, s, c, (int)(f[i] * 1.5f) + b);
}

// 64-bit integers saturate, too.
//! in: long2 64 special
//! out: int2 64
//! out: ulong2 64
//! launch: 64 by 32
__kernel void convert_long_saturated(__global const long2* in, __global int2* a,
                                     __global ulong2* b) {
    int i = get_global_id(0);
    a[i] = convert_int2_sat(in[i]);
    b[i] = convert_ulong2_sat(in[i]);
}
