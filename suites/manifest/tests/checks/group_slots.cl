// Each group has places of its own, which a counter in local memory hands out.
// wrong: = in[i] => = in[i] + 1
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void group_slots(__global const int* in, __global int* out, __global int* sizes,
                          const int n) {
    __local int taken;
    const int lane = get_local_id(0), i = get_global_id(0);
    if (lane == 0) taken = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n && in[i] > 0) {
        const int slot = atomic_inc(&taken);
        out[get_group_id(0) * 64 + slot] = in[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) sizes[get_group_id(0)] = taken;
}
