// groups: any
// in: input n
// isums: output 16 * groups_x
// n: n
// lmem: local items_x
// shift: any
// How many keys of a group's region have each digit; digits in rows, groups in columns.
__kernel void radix_count(__global const uint* in, __global uint* isums, const int n,
                          __local uint* lmem, const uint shift) {
    int region_size = n / get_num_groups(0);
    int block_start = get_group_id(0) * region_size;
    int block_stop = (get_group_id(0) == get_num_groups(0) - 1) ? n : block_start + region_size;
    int tid = get_local_id(0);
    int i = block_start + tid;
    int digit_counts[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    while (i < block_stop) {
        digit_counts[(in[i] >> shift) & 0xF]++;
        i += get_local_size(0);
    }
    for (int d = 0; d < 16; d++) {
        lmem[tid] = digit_counts[d];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (unsigned int s = get_local_size(0) / 2; s > 0; s >>= 1) {
            if (tid < s) lmem[tid] += lmem[tid + s];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (tid == 0) isums[d * get_num_groups(0) + get_group_id(0)] = lmem[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
