// One writes what others may not have read yet.
// sanitized: failed: a race
__kernel void read_by_all(__global const uint* x, __global uint* y) {
    __local uint seed;
    const uint l = get_local_id(0), i = get_global_id(0);
    if (l == 0) seed = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = x[i] + seed;
    if (l == get_local_size(0) - 1) seed += x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] ^= seed;
}
