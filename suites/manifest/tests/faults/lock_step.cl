// The last steps of a sum trust that items of a warp go in step.
// host: wrong: gave other answers
// sanitized: failed: a race
__kernel void lock_step(__global const float* x, __global float* sums) {
    __local float part[128];
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
