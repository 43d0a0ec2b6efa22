// groups: n / items_x
// output: output 2 * n
// input: input 2 * n
// sums: output groups_x
// block: local 2 * items_x
// length: 2 * items_x
// A work-efficient scan of two elements an item.
__kernel void blockAddition(__global float* output, __global float* input, __global float* sums,
                            __local float* block, const uint length) {
    int tid = get_local_id(0);
    int gid = get_global_id(0);
    int bid = get_group_id(0);
    int offset = 1;
    block[2 * tid] = input[2 * gid];
    block[2 * tid + 1] = input[2 * gid + 1];
    for (int d = length >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < d) {
            int ai = offset * (2 * tid + 1) - 1;
            int bi = offset * (2 * tid + 2) - 1;
            block[bi] += block[ai];
        }
        offset *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid == 0) sums[bid] = block[length - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    output[2 * gid] = block[2 * tid];
    output[2 * gid + 1] = block[2 * tid + 1];
}
