// A loop over the whole launch, which goes on.
// wrong: i += get_global_size(0) => i = n
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void grid_stride(__global const float* in, __global float* part, const int n) {
    __local float own[64];
    const int lane = get_local_id(0);
    float sum = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
    own[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (lane < s) own[lane] += own[lane + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) part[get_group_id(0)] = own[0];
}
