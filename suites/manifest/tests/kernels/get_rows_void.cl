// groups: ceil(ne10 / items_x)
// src0: input ne01 * ne00
// offset0: 0
// src1: input ne10
// offset1: 0
// dst: output ne10 * ne00
// offsetd: 0
// ne00: ne00
// ne01: ne01
// ne10: ne10
// Rows are taken by index out of a table; pointers have no type and offsets in bytes.
__kernel void get_rows_f32(__global void* src0, ulong offset0, __global void* src1, ulong offset1,
                           __global void* dst, ulong offsetd, int ne00, int ne01, int ne10) {
    __global const float* table = (__global const float*)((__global char*)src0 + offset0);
    __global const int* rows = (__global const int*)((__global char*)src1 + offset1);
    __global float* out = (__global float*)((__global char*)dst + offsetd);
    const int i = get_global_id(0);
    if (i >= ne10) return;
    const int r = rows[i];
    if (r >= ne01) return;
    for (int k = 0; k < ne00; ++k) out[i * ne00 + k] = table[r * ne00 + k];
}
