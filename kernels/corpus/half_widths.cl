// Halves as storage, in every width.

// Read and written in the widths that others leave out.
//! in: half 128 unit
//! out: float 128
//! out: half 128
//! launch: 1 by 1
__kernel void half_widths(__global const half* in, __global float* out, __global half* back) {
    for (int k = 0; k < 128; ++k) out[k] = vload_half(k, in);
    for (int k = 0; k < 128; ++k) vstore_half(0.0f, k, back);
    vstore2(vload_half2(1, in), 0, out);
    vstore3(vload_half3(2, in), 1, out);
    vstore16(vload_half16(1, in), 1, out);
    vstore2(vloada_half2(3, in), 16, out);
    vstore4(vloada_half4(4, in), 9, out);
    vstore8(vloada_half8(5, in), 5, out);
    vstore16(vloada_half16(6, in), 3, out);
    vstore_half16(vload16(1, out), 1, back);
    vstorea_half16(vload16(2, out), 2, back);
}
