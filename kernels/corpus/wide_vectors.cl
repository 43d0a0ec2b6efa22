// Vectors of eight and of sixteen.

// Arithmetic of eight.
//! in: float8 32 small
//! in: float8 32 unit
//! out: float8 32
//! launch: 32 by 32
__kernel void eight_arithmetic(__global const float8* a, __global const float8* b,
                               __global float8* out) {
    int i = get_global_id(0);
    out[i] = a[i] * b[i] + 2.0f - b[i] / (float8)(4.0f);
}

// Sixteen bytes, added up by halves.
//! in: uchar16 32 bits
//! out: uint 32
//! launch: 32 by 32
__kernel void sixteen_sum(__global const uchar16* in, __global uint* out) {
    int i = get_global_id(0);
    ushort8 eight = convert_ushort8(in[i].lo) + convert_ushort8(in[i].hi);
    ushort4 four = eight.lo + eight.hi;
    ushort2 two = four.even + four.odd;
    out[i] = two.x + two.y;
}

// Written out in full.
//! in: int 16 bits
//! out: int16 16
//! launch: 16 by 16
__kernel void sixteen_literal(__global const int* in, __global int16* out) {
    int i = get_global_id(0);
    int a = in[i];
    out[i] = (int16)(a, 1, 2, 3, 4, 5, 6, 7, (int4)(8, 9, 10, a), (int2)(12), 14, ~a);
}

// Comparisons, choice and reduction of eight.
//! in: int8 32 small
//! in: int8 32 small
//! out: int8 32
//! out: int 32
//! launch: 32 by 32
__kernel void eight_choice(__global const int8* a, __global const int8* b, __global int8* out,
                           __global int* flags) {
    int i = get_global_id(0);
    int8 less = a[i] < b[i];
    out[i] = less ? a[i] : b[i];
    flags[i] = any(less) * 2 + all(less);
}

// Doubles of eight in local arrays.
//! in: double8 16 unit
//! out: double8 16
//! launch: 16 by 16
//! needs: double
__kernel void eight_doubles(__global const double8* in, __global double8* out) {
    int i = get_global_id(0);
    double8 parts[2];
    parts[0] = in[i] * 0.5;
    parts[1].lo = in[i].hi;
    parts[1].hi = in[i].lo;
    out[i] = parts[0] - parts[1];
}

// Built-in functions of sixteen.
//! in: float16 16 special
//! in: float16 16 special
//! out: float16 16
//! launch: 16 by 16
__kernel void sixteen_functions(__global const float16* a, __global const float16* b,
                                __global float16* out) {
    int i = get_global_id(0);
    out[i] = fmax(fabs(a[i]), fabs(b[i])) + 0.0f;
}

// Shifts and bits of sixteen shorts.
//! in: ushort16 16 bits
//! out: ushort16 16
//! launch: 16 by 16
__kernel void sixteen_shorts(__global const ushort16* in, __global ushort16* out) {
    int i = get_global_id(0);
    ushort16 v = in[i];
    v ^= v << (ushort16)(7);
    v ^= v >> (ushort16)(9);
    v.lo |= (ushort8)(1);
    out[i] = v & (ushort)0xfff3;
}

// Passed to and returned from helpers, by value and by pointer.
long8 turned(long8 v) { return v.s76543210; }
void add_one(long8* v) { *v += 1; }
//! in: long8 16 small
//! out: long8 16
//! launch: 16 by 16
__kernel void eight_helpers(__global const long8* in, __global long8* out) {
    int i = get_global_id(0);
    long8 v = turned(in[i]);
    add_one(&v);
    out[i] = v;
}
