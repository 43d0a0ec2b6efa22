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

// In the widths that others leave out.
//! in: half 64 unit
//! out: half 64
//! launch: 1 by 1
//! needs: half
__kernel void half_numbers(__global const half* in, __global half* out) {
    half2 a = vload2(0, in);
    half3 b = vload3(1, in);
    half8 c = vload8(1, in);
    half16 d = vload16(1, in);
    for (int k = 0; k < 64; ++k) out[k] = 1.5h;
    vstore2(a + a, 0, out);
    vstore3(b * b, 1, out);
    vstore8(c - c, 1, out);
    vstore16(d + d, 1, out);
    out[63] = as_half(as_ushort(in[63])) + convert_half(2);
}
