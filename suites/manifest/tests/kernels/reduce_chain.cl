// kernels: partial_sums total_sum
// groups: any
// groups2: 1
// in: input n
// partial: scratch any
// sdata: local items_x
// n: n
// count: any
// out: output 1
// A sum in two launches: groups' sums, then one group over these.
__kernel void partial_sums(__global const float* in, __global float* partial, __local float* sdata,
                           const uint n) {
    const uint tid = get_local_id(0);
    float acc = 0.0f;
    for (uint i = get_group_id(0) * (get_local_size(0) * 2) + tid; i < n;
         i += get_local_size(0) * 2 * get_num_groups(0)) {
        acc += in[i];
        if (i + get_local_size(0) < n) acc += in[i + get_local_size(0)];
    }
    sdata[tid] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0) partial[get_group_id(0)] = sdata[0];
}
__kernel void total_sum(__global const float* partial, __global float* out, __local float* sdata,
                        const uint count) {
    const uint tid = get_local_id(0);
    float acc = 0.0f;
    for (uint i = tid; i < count; i += get_local_size(0)) acc += partial[i];
    sdata[tid] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0) out[0] = sdata[0];
}
