// groups: ceil(n / (2 * items_x))
// g_idata: input n
// g_odata: output groups_x
// n: n
// sdata: local items_x
typedef float T;
__kernel void reduce3(__global const T* g_idata, __global T* g_odata, unsigned int n,
                      __local T* sdata) {
    unsigned int tid = get_local_id(0);
    unsigned int i = get_group_id(0) * (get_local_size(0) * 2) + get_local_id(0);
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    if (i + get_local_size(0) < n) sdata[tid] += g_idata[i + get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (unsigned int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0) g_odata[get_group_id(0)] = sdata[0];
}
