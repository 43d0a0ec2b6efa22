// An item that is near enough leaves a loop whose barriers the others wait at.
// host: failed: wait at a barrier
// sanitized: failed: wait at a barrier
__kernel void leaves_early(__global const float* x, __global float* y) {
    __local float shared[64];
    const uint l = get_local_id(0), i = get_global_id(0);
    float at = x[i];
    for (int round = 0; round < 4; ++round) {
        shared[l] = at;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float next = 0.5f * (at + shared[(l + 1) & 63u]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (fabs(next - at) < 0.1f) break;
        at = next;
    }
    y[i] = at;
}
