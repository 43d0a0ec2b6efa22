// What is volatile orders nothing between items.
// host: wrong: gave other answers
// sanitized: wrong: gave other answers
__kernel void lock_step_volatile(__global const float* x, __global float* sums) {
    __local volatile float part[128];
    const uint l = get_local_id(0);
    part[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 64; step > 16; step >>= 1) {
        if (l < step) part[l] += part[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l < 16) {
        part[l] += part[l + 16];
        part[l] += part[l + 8];
        part[l] += part[l + 4];
        part[l] += part[l + 2];
        part[l] += part[l + 1];
    }
    if (l == 0) sums[get_group_id(0)] = part[0];
}
