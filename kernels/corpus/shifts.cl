// Shifts: the count is taken modulo the width of the left side.

// Counts beyond the width.
//! in: uint 64 bits
//! out: uint2 64
//! launch: 64 by 32
__kernel void shift_beyond(__global const uint* in, __global uint2* out) {
    int i = get_global_id(0);
    out[i] = (uint2)(in[i] << (i + 20), in[i] >> (i + 20));
}

// Negative counts and negative numbers.
//! in: int 64 special
//! in: int 64 small
//! out: int2 64
//! launch: 64 by 32
__kernel void shift_negative(__global const int* a, __global const int* b,
                             __global int2* out) {
    int i = get_global_id(0);
    out[i] = (int2)(a[i] >> b[i], a[i] << b[i]);
}

// 64 bits: by the width of the left side, whatever the count's type.
//! in: long 64 bits
//! in: uchar 64 bits
//! out: long 64
//! out: ulong 64
//! out: int 64
//! launch: 64 by 32
__kernel void shift_wide(__global const long* a, __global const uchar* count,
                         __global long* x, __global ulong* y, __global int* z) {
    int i = get_global_id(0);
    x[i] = a[i] >> count[i];
    y[i] = (ulong)a[i] << count[i] ^ 1UL << (ulong)(i + 7);
    z[i] = (int)a[i] >> (a[i] & 0xffL);
}

// Narrow scalars are widened to int before they are shifted.
//! in: uchar 64 bits
//! in: short 64 bits
//! out: int 64
//! out: short 64
//! launch: 64 by 32
__kernel void shift_narrow(__global const uchar* a, __global const short* b,
                           __global int* x, __global short* y) {
    int i = get_global_id(0);
    x[i] = a[i] << (i & 15);
    y[i] = b[i] >> (i & 31);
}

// Narrow vectors are not.
//! in: uchar4 64 bits
//! in: uchar4 64 bits
//! in: short2 64 bits
//! in: short2 64 bits
//! out: uchar4 128
//! out: short2 128
//! launch: 64 by 32
__kernel void shift_narrow_vectors(__global const uchar4* a, __global const uchar4* n,
                                   __global const short2* b, __global const short2* m,
                                   __global uchar4* x, __global short2* y) {
    int i = get_global_id(0);
    x[2 * i] = a[i] << n[i];
    x[2 * i + 1] = a[i] >> n[i];
    y[2 * i] = b[i] << m[i];
    y[2 * i + 1] = b[i] >> m[i];
}

// Vectors by a scalar and by vectors.
//! in: int4 64 bits
//! out: int4 128
//! launch: 64 by 32
__kernel void shift_vectors(__global const int4* in, __global int4* out) {
    int i = get_global_id(0);
    out[2 * i] = in[i] << (int4)(1, 31, 32, 33);
    out[2 * i + 1] = in[i] >> (i & 63);
}

// Compound ones, on elements and components.
//! inout: uint 64 bits
//! inout: int4 64 bits
//! in: uint 64 bits
//! launch: 64 by 32
__kernel void shift_compound(__global uint* a, __global int4* b, __global const uint* n) {
    int i = get_global_id(0);
    a[i] <<= n[i] >> 3;
    a[i] >>= i;
    int4 v = b[i];
    v <<= (int4)(n[i]);
    v.y >>= i + 30;
    v.zw >>= 3;
    b[i] = v;
}

// Side effects of the count happen once.
//! in: uint 64 bits
//! out: uint2 64
//! launch: 64 by 32
__kernel void shift_effects(__global const uint* in, __global uint2* out) {
    int i = get_global_id(0);
    uint n = i;
    uint shifted = in[i] << n++;
    shifted |= 1u << (n += 30);
    out[i] = (uint2)(shifted, n);
}

// In constant expressions, sizes and conditions.
enum { shift_bits = 5, shift_size = 1 << shift_bits, shift_top = 1 << 30 >> 3 };
//! in: int 64 bits
//! out: int 64
//! launch: 64 by 32
__kernel void shift_constant(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    int table[shift_size];
    for (int k = 0; k < shift_size; ++k) table[k] = k << 2;
    out[i] = table[in[i] & (1 << 5) - 1] + (in[i] >> 31 ? shift_top : 0);
}
