// Places in a group's local memory, and one counter for the groups.
// elements: out "n"
// wrong: out[base + k] = staged[k] => out[base + k] = staged[k] + 1
// wrong: k < taken => k + 1 < taken
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void group_append(__global const int* in, __global int* out, __global int* count,
                           const int n) {
    __local int staged[64];
    __local int taken, base;
    const int lane = get_local_id(0), i = get_global_id(0);
    if (lane == 0) taken = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n && in[i] > 0) staged[atomic_inc(&taken)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) base = atomic_add(count, taken);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = lane; k < taken; k += 64) out[base + k] = staged[k];
}
