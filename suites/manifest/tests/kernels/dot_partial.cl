// groups: ceil(n4 / items_x)
// a: input n4
// b: input n4
// part: output groups_x
// scratch: local items_x
// n4: n4
__kernel void dot_partial(__global const float4* a, __global const float4* b, __global float* part,
                          __local float* scratch, int n4) {
    float sum = 0;
    for (int i = get_global_id(0); i < n4; i += get_global_size(0)) sum += dot(a[i], b[i]);
    int lid = get_local_id(0);
    scratch[lid] = sum;
    for (int k = get_local_size(0) / 2; k; k /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < k) scratch[lid] += scratch[lid + k];
    }
    if (!lid) part[get_group_id(0)] = scratch[0];
}
