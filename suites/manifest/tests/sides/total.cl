uint take(__global uint* done) {
    return atomic_inc(done);
}
__kernel void total(__global const float* x, __global float* sums, __global float* result, int n,
                    __global uint* done) {
    __local float s[64];
    __local bool is_last;
    float v = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) v += x[i];
    s[get_local_id(0)] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 64; ++k) sum += s[k];
        sums[get_group_id(0)] = sum;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        is_last = take(done) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (is_last && get_local_id(0) == 0) {
        float sum = 0.0f;
        for (uint k = 0; k < get_num_groups(0); ++k) sum += ((volatile __global float*)sums)[k];
        *result = sum;
    }
}
