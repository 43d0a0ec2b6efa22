// A loop ends for the items that saw the flag before the next round overwrote it.
// host: failed: wait at a barrier
// sanitized: failed: a race
__kernel void any_left(__global const uint* rounds, __global uint* sum, const uint n) {
    __local uint left[64];
    const uint i = get_global_id(0), l = get_local_id(0);
    uint todo = i < n ? rounds[i] & 15u : 0u, done = 0, more = 1;
    while (more != 0) {
        if (todo > 0) --todo, ++done;
        left[l] = todo;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint step = 32; step > 0; step >>= 1) {
            if (l < step) left[l] |= left[l + step];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        more = left[0];
    }
    if (i < n) sum[i] = done;
}
