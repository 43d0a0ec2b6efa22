// groups: any
// src0: input any
// offset0: 0
// dst: output any
// offsetd: 0
// ne00: any
// ne01: any
// nb01: any
// eps: any
// sum: local items_x
// Rows are scaled to a mean square of one; strides and offsets in bytes, pointers without a type.
__kernel void rms_norm(__global void* src0, ulong offset0, __global float* dst, ulong offsetd,
                       int ne00, int ne01, ulong nb01, float eps, __local float* sum) {
    src0 = (__global void*)((__global char*)src0 + offset0);
    dst = (__global float*)((__global char*)dst + offsetd);
    const int i01 = get_group_id(0);
    if (i01 >= ne01) return;
    __global const float* x = (__global const float*)((__global char*)src0 + i01 * nb01);
    float part = 0;
    for (int i00 = get_local_id(0); i00 < ne00; i00 += get_local_size(0)) part += x[i00] * x[i00];
    sum[get_local_id(0)] = part;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (get_local_id(0) < s) sum[get_local_id(0)] += sum[get_local_id(0) + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float scale = 1.0f / sqrt(sum[0] / ne00 + eps);
    __global float* y = dst + i01 * ne00;
    for (int i00 = get_local_id(0); i00 < ne00; i00 += get_local_size(0)) y[i00] = x[i00] * scale;
}
