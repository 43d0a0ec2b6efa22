// kernels: scan_blocks scan_sums add_sums
// groups: ceil(n / (2 * items_x))
// groups2: 1
// groups3: ceil(n / (2 * items_x))
// data: in_out n
// sums: scratch any
// n: n
// tmp: local 2 * items_x
// count: any
// A scan of any length in three launches.
__kernel void scan_blocks(__global uint* data, __global uint* sums, __local uint* tmp, uint n) {
    const uint l = get_local_id(0), s = get_local_size(0);
    const uint a = get_group_id(0) * 2 * s + l, b = a + s;
    tmp[l] = a < n ? data[a] : 0;
    tmp[l + s] = b < n ? data[b] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 2 * s; d *= 2) {
        const uint x = l >= d ? tmp[l - d] : 0, y = l + s >= d ? tmp[l + s - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        tmp[l] += x;
        tmp[l + s] += y;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (a < n) data[a] = tmp[l];
    if (b < n) data[b] = tmp[l + s];
    if (l == 0) sums[get_group_id(0)] = tmp[2 * s - 1];
}
__kernel void scan_sums(__global uint* sums, uint count) {
    if (get_global_id(0) == 0) {
        uint all = 0;
        for (uint i = 0; i < count; i++) {
            const uint own = sums[i];
            sums[i] = all;
            all += own;
        }
    }
}
__kernel void add_sums(__global uint* data, __global const uint* sums, uint n) {
    const uint s = get_local_size(0), a = get_group_id(0) * 2 * s + get_local_id(0), b = a + s;
    const uint more = sums[get_group_id(0)];
    if (a < n) data[a] += more;
    if (b < n) data[b] += more;
}
