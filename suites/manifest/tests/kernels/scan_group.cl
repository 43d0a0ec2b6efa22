// groups: ceil(n / (2 * items_x))
// out: output n
// in: input n
// group_sums: output groups_x
// n: n
// temp: local 2 * items_x
// An exclusive scan of two elements an item in a pointer to local memory, then the group's sum.
void up_sweep(__local int* t, int n, int lid) {
    int step = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) t[step * (2 * lid + 2) - 1] += t[step * (2 * lid + 1) - 1];
        step <<= 1;
    }
}
__kernel void scan_group(__global int* out, __global const int* in, __global int* group_sums,
                         const int n, __local int* temp) {
    const int lid = get_local_id(0);
    const int lsz = get_local_size(0);
    const int a = get_group_id(0) * 2 * lsz + lid;
    const int b = a + lsz;
    temp[lid] = a < n ? in[a] : 0;
    temp[lid + lsz] = b < n ? in[b] : 0;
    up_sweep(temp, 2 * lsz, lid);
    if (lid == 0) {
        group_sums[get_group_id(0)] = temp[2 * lsz - 1];
        temp[2 * lsz - 1] = 0;
    }
    int step = 2 * lsz;
    for (int d = 1; d < 2 * lsz; d <<= 1) {
        step >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            int l = step * (2 * lid + 1) - 1, r = step * (2 * lid + 2) - 1;
            int t = temp[l];
            temp[l] = temp[r];
            temp[r] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (a < n) out[a] = temp[lid];
    if (b < n) out[b] = temp[lid + lsz];
}
