// Built-in functions of integers.

// Absolute values and differences are unsigned.
//! in: int 256 special
//! in: int 256 special
//! out: uint 256
//! out: uint 256
//! launch: 256 by 64
__kernel void integer_abs(__global const int* a, __global const int* b, __global uint* x,
                          __global uint* y) {
    int i = get_global_id(0);
    x[i] = abs(a[i]);
    y[i] = abs_diff(a[i], b[i]);
}

// Saturated sums and differences of every width.
//! in: char 256 special
//! in: char 256 special
//! in: int 256 special
//! in: int 256 special
//! out: char2 256
//! out: int2 256
//! launch: 256 by 64
__kernel void integer_saturated(__global const char* a, __global const char* b,
                                __global const int* c, __global const int* d,
                                __global char2* x, __global int2* y) {
    int i = get_global_id(0);
    x[i] = (char2)(add_sat(a[i], b[i]), sub_sat(a[i], b[i]));
    y[i] = (int2)(add_sat(c[i], d[i]), sub_sat(c[i], d[i]));
}

// The same of unsigned and of 64-bit vectors.
//! in: ushort4 64 special
//! in: ushort4 64 special
//! in: long2 128 special
//! in: long2 128 special
//! out: ushort4 128
//! out: long2 256
//! launch: 64 by 32
//! like: integer_saturated_vectors_written
//! wrong: Portable PoCL 3.1 takes the smallest long from 0 without saturating.
__kernel void integer_saturated_vectors(__global const ushort4* a, __global const ushort4* b,
                                        __global const long2* c, __global const long2* d,
                                        __global ushort4* x, __global long2* y) {
    int i = get_global_id(0);
    x[2 * i] = add_sat(a[i], b[i]);
    x[2 * i + 1] = sub_sat(a[i], b[i]);
    for (int k = 2 * i; k < 2 * i + 2; ++k) {
        y[2 * k] = add_sat(c[k], d[k]);
        y[2 * k + 1] = sub_sat(c[k], d[k]);
    }
}

// The same by comparisons.
//! in: ushort4 64 special
//! in: ushort4 64 special
//! in: long2 128 special
//! in: long2 128 special
//! out: ushort4 128
//! out: long2 256
//! launch: 64 by 32
__kernel void integer_saturated_vectors_written(__global const ushort4* a,
                                                __global const ushort4* b,
                                                __global const long* c, __global const long* d,
                                                __global ushort4* x, __global long* y) {
    int i = get_global_id(0);
    x[2 * i] = convert_ushort4_sat(convert_uint4(a[i]) + convert_uint4(b[i]));
    x[2 * i + 1] = convert_ushort4_sat(convert_int4(a[i]) - convert_int4(b[i]));
    for (int k = 4 * i; k < 4 * i + 4; ++k) {
        long u = c[k], v = d[k];
        long sum = (long)((ulong)u + (ulong)v), difference = (long)((ulong)u - (ulong)v);
        if (((u ^ sum) & (v ^ sum)) < 0) sum = u < 0 ? LONG_MIN : LONG_MAX;
        if (((u ^ v) & (u ^ difference)) < 0) difference = u < 0 ? LONG_MIN : LONG_MAX;
        y[k / 2 * 4 + k % 2] = sum;
        y[k / 2 * 4 + k % 2 + 2] = difference;
    }
}

// Averages that do not overflow.
//! in: int 256 special
//! in: int 256 special
//! in: uchar4 256 bits
//! in: uchar4 256 bits
//! out: int2 256
//! out: uchar4 512
//! launch: 256 by 64
__kernel void integer_averages(__global const int* a, __global const int* b,
                               __global const uchar4* c, __global const uchar4* d,
                               __global int2* x, __global uchar4* y) {
    int i = get_global_id(0);
    x[i] = (int2)(hadd(a[i], b[i]), rhadd(a[i], b[i]));
    y[2 * i] = hadd(c[i], d[i]);
    y[2 * i + 1] = rhadd(c[i], d[i]);
}

// The upper half of a product, signed, unsigned, wide and narrow.
//! in: int 64 bits
//! in: int 64 bits
//! in: ulong 64 bits
//! in: ulong 64 bits
//! out: int 64
//! out: uint 64
//! out: ulong2 64
//! out: short 64
//! launch: 64 by 32
__kernel void integer_high(__global const int* a, __global const int* b,
                           __global const ulong* c, __global const ulong* d, __global int* x,
                           __global uint* y, __global ulong2* z, __global short* s) {
    int i = get_global_id(0);
    x[i] = mul_hi(a[i], b[i]);
    y[i] = mul_hi((uint)a[i], (uint)b[i]);
    z[i] = (ulong2)(mul_hi(c[i], d[i]), (ulong)mul_hi((long)c[i], (long)d[i]));
    s[i] = mul_hi((short)a[i], (short)b[i]);
}

// Products with a sum: of upper halves, and saturated.
//! in: uint 64 bits
//! in: uint 64 bits
//! in: int 64 special
//! out: uint 64
//! out: int 64
//! launch: 64 by 32
__kernel void integer_mad(__global const uint* a, __global const uint* b,
                          __global const int* c, __global uint* x, __global int* y) {
    int i = get_global_id(0);
    x[i] = mad_hi(a[i], b[i], 17u);
    y[i] = mad_sat(c[i], (int)(a[i] & 7), c[63 - i]);
}

// 24 bits: within their range they are plain products.
//! in: int4 64 small
//! in: uint 64 bits
//! out: int4 64
//! out: uint 64
//! launch: 64 by 32
__kernel void integer_24(__global const int4* a, __global const uint* b, __global int4* x,
                         __global uint* y) {
    int i = get_global_id(0);
    x[i] = mad24(a[i] * 1000, a[i].wzyx, mul24(a[i], (int4)(-3)));
    y[i] = mul24(b[i] & 0xffffu, b[63 - i] & 0xffffu);
}

// Leading zeros, ones, rotations, of every width.
//! in: uint 64 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void integer_bits(__global const uint* in, __global uint4* out) {
    int i = get_global_id(0);
    uint v = in[i] >> (i & 31);
    out[i] = (uint4)(clz(v), popcount(v), rotate(v, (uint)i), clz(0u));
}

// Of bytes, shorts and longs: each counts its own width.
//! in: uchar4 64 bits
//! in: ushort2 64 bits
//! in: ulong 64 bits
//! out: uchar4 192
//! out: ushort2 192
//! out: ulong 192
//! launch: 64 by 32
__kernel void integer_bits_widths(__global const uchar4* a, __global const ushort2* b,
                                  __global const ulong* c, __global uchar4* x,
                                  __global ushort2* y, __global ulong* z) {
    int i = get_global_id(0);
    x[3 * i] = clz(a[i]);
    x[3 * i + 1] = popcount(a[i]);
    x[3 * i + 2] = rotate(a[i], (uchar4)(1, 7, 8, 13));
    y[3 * i] = clz(b[i]);
    y[3 * i + 1] = popcount(b[i]);
    y[3 * i + 2] = rotate(b[i], (ushort2)(3, 16));
    z[3 * i] = clz(c[i] >> (i & 63));
    z[3 * i + 1] = popcount(c[i]);
    z[3 * i + 2] = rotate(c[i], (ulong)(i * 3));
}

// A wider number of two halves.
//! in: int 64 bits
//! in: uint 64 bits
//! out: long 64
//! out: ushort4 64
//! launch: 64 by 32
__kernel void integer_upsample(__global const int* a, __global const uint* b,
                               __global long* x, __global ushort4* y) {
    int i = get_global_id(0);
    x[i] = upsample(a[i], b[i]);
    y[i] = upsample(as_uchar4(a[i]), as_uchar4(b[i]));
}

// min, max, clamp of integers; a scalar bound for a vector.
//! in: int4 64 special
//! in: int4 64 special
//! out: int4 192
//! launch: 64 by 32
//! like: integer_order_written
//! wrong: Portable PoCL 3.1 mistakes the scalar of max(int4, int).
__kernel void integer_order(__global const int4* a, __global const int4* b,
                            __global int4* out) {
    int i = get_global_id(0);
    out[3 * i] = min(a[i], b[i]);
    out[3 * i + 1] = max(a[i], 3);
    out[3 * i + 2] = clamp(b[i], -5, 5);
}

// The same by choices.
//! in: int4 64 special
//! in: int4 64 special
//! out: int4 192
//! launch: 64 by 32
__kernel void integer_order_written(__global const int4* a, __global const int4* b,
                                    __global int4* out) {
    int i = get_global_id(0);
    out[3 * i] = b[i] < a[i] ? b[i] : a[i];
    out[3 * i + 1] = a[i] < 3 ? (int4)(3) : a[i];
    out[3 * i + 2] = b[i] < -5 ? (int4)(-5) : b[i] > 5 ? (int4)(5) : b[i];
}

// Of narrow and unsigned elements.
//! in: uchar4 64 bits
//! in: ulong2 64 special
//! out: uchar4 64
//! out: ulong2 64
//! launch: 64 by 32
__kernel void integer_order_widths(__global const uchar4* a, __global const ulong2* b,
                                   __global uchar4* x, __global ulong2* y) {
    int i = get_global_id(0);
    x[i] = clamp(max(a[i], (uchar4)(20)), (uchar4)(30), (uchar4)(200));
    y[i] = min(b[i], b[63 - i]);
}

// Trailing zeros came with OpenCL 2.0.
//! in: uint4 64 bits
//! out: uint4 64
//! launch: 64 by 32
//! needs: CL2.0
__kernel void integer_trailing(__global const uint4* in, __global uint4* out) {
    int i = get_global_id(0);
#if __OPENCL_C_VERSION__ >= 200
    out[i] = ctz(in[i] << (uint4)(i & 31)) + ctz(0u);
#else
    uint4 v = in[i] << (uint4)(i & 31);
    out[i] = popcount(~v & (v - 1u)) + 32u;
#endif
}
