// A prefix sum in the group, and a counter for the groups.
// elements: out "n"
// wrong: out[base + before[lane]] = in[i] => out[base + before[lane]] = in[i] + 1
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void prefix_append(__global const int* in, __global int* out, __global int* count,
                            const int n) {
    __local int before[65];
    __local int base;
    const int lane = get_local_id(0), i = get_global_id(0);
    const int keeps = i < n && in[i] > 0;
    before[lane + 1] = keeps;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        before[0] = 0;
        for (int k = 0; k < 64; ++k) before[k + 1] += before[k];
        base = atomic_add(count, before[64]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (keeps) out[base + before[lane]] = in[i];
}
