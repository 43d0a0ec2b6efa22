// Halves as numbers, where a device has them.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Arithmetic of halves.
//! in: half4 64 small
//! in: half4 64 small
//! out: half4 64
//! launch: 64 by 32
//! needs: half
//! like: half_arithmetic_in_floats
__kernel void half_arithmetic(__global const half4* a, __global const half4* b,
                              __global half4* out) {
    int i = get_global_id(0);
    half4 x = a[i] * b[i] + (half)2;
    out[i] = x / (half4)(4) - a[i];
}
