// The last group adds up what all groups found.
// wrong: sum += part[k] => sum += part[0]
__kernel void last_block(__global const float* x, __global float* part, __global float* out, __global int* done, const int n) {
    __local float s[256];
    __local int is_last;
    const int lane = get_local_id(0), i = get_global_id(0);
    s[lane] = i < n ? x[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_size(0) / 2; k > 0; k /= 2) {
        if (lane < k) s[lane] += s[lane + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) {
        part[get_group_id(0)] = s[0];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        is_last = atomic_inc(done) == (int)get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!is_last) return;
    float sum = 0.0f;
    for (int k = lane; k < (int)get_num_groups(0); k += get_local_size(0)) sum += part[k];
    s[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_size(0) / 2; k > 0; k /= 2) {
        if (lane < k) s[lane] += s[lane + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) out[0] = s[0];
}
