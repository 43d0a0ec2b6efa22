// kernels: block_sum gpu::blockSum<float>
// cuda: {"source": "block_sum.cu", "kernel": "gpu::blockSum<float>", "arguments": ["out", "in", "count", "scratch"]}
// groups: ceil(count / items_x)
// in: input count
// out: output groups_x
// scratch: local items_x
// count: count
__kernel void block_sum(__global const float* in, __global float* out, __local float* scratch,
                        const uint count) {
    const uint lid = get_local_id(0), gid = get_global_id(0);
    scratch[lid] = gid < count ? in[gid] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s) scratch[lid] += scratch[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = scratch[0];
}
