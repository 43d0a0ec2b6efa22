// Items read what others write, without a barrier: right where items go in order.
// opencl: unchecked: races that the order of work-items hid
// sanitized: failed: a race

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    __local float part[64];
    const uint l = get_local_id(0);
    part[l] = x[i];
    const float left = l > 0 ? part[l - 1] : 0;
    y[i] = worked_out(x[i]) + 0 * left;
}
