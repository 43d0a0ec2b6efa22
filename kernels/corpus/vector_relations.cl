// Comparisons and logic of vectors: -1 where true, as wide as what is compared.

// All six of floats, NaN among them.
//! in: float4 64 special
//! in: float4 64 special
//! out: int4 384
//! launch: 64 by 32
__kernel void compare_floats(__global const float4* a, __global const float4* b,
                             __global int4* out) {
    int i = get_global_id(0);
    out[6 * i] = a[i] == b[i];
    out[6 * i + 1] = a[i] != b[i];
    out[6 * i + 2] = a[i] < b[i];
    out[6 * i + 3] = a[i] <= b[i];
    out[6 * i + 4] = a[i] > b[i];
    out[6 * i + 5] = a[i] >= b[i];
}

// Signed and unsigned order differ.
//! in: int2 64 special
//! in: int2 64 special
//! out: int2 128
//! launch: 64 by 32
__kernel void compare_integers(__global const int2* a, __global const int2* b,
                               __global int2* out) {
    int i = get_global_id(0);
    out[2 * i] = a[i] < b[i];
    out[2 * i + 1] = as_uint2(a[i]) < as_uint2(b[i]);
}

// Narrow elements give narrow results.
//! in: uchar4 64 bits
//! in: uchar4 64 bits
//! out: char4 64
//! launch: 64 by 32
__kernel void compare_bytes(__global const uchar4* a, __global const uchar4* b,
                            __global char4* out) {
    int i = get_global_id(0);
    out[i] = (a[i] > b[i]) - (a[i] == (uchar)3);
}

// Wide elements give wide results.
//! in: double2 64 special
//! in: double2 64 special
//! out: long2 64
//! launch: 64 by 32
//! needs: double
__kernel void compare_doubles(__global const double2* a, __global const double2* b,
                              __global long2* out) {
    int i = get_global_id(0);
    out[i] = (a[i] < b[i]) | ((a[i] != a[i]) & 2L);
}

// Logic of vectors of integers.
//! in: int4 64 small
//! in: int4 64 small
//! out: int4 192
//! launch: 64 by 32
__kernel void vector_logic(__global const int4* a, __global const int4* b, __global int4* out) {
    int i = get_global_id(0);
    out[3 * i] = a[i] && b[i];
    out[3 * i + 1] = a[i] || b[i];
    out[3 * i + 2] = !a[i];
}

// A scalar is compared with every component.
//! in: float4 64 special
//! value: float 0.5
//! out: int4 64
//! launch: 64 by 32
__kernel void compare_with_scalar(__global const float4* a, float limit, __global int4* out) {
    int i = get_global_id(0);
    out[i] = (a[i] > limit) + (0.0f >= a[i]) * 2;
}

// A comparison as a mask of bits.
//! in: float4 64 unit
//! in: float4 64 unit
//! out: float4 64
//! launch: 64 by 32
__kernel void compare_as_mask(__global const float4* a, __global const float4* b,
                              __global float4* out) {
    int i = get_global_id(0);
    int4 mask = a[i] < b[i];
    out[i] = as_float4((as_int4(a[i]) & mask) | (as_int4(b[i]) & ~mask));
}

// Of scalars a comparison is 1.
//! in: float 64 special
//! in: float 64 special
//! out: int 64
//! launch: 64 by 32
__kernel void compare_scalars(__global const float* a, __global const float* b,
                              __global int* out) {
    int i = get_global_id(0);
    out[i] = (a[i] < b[i]) + 2 * (a[i] == b[i]) + 4 * !(a[i] > b[i]) + 8 * (a[i] != a[i]);
}
