// wrong: d = 128 => d = 64
// wrong: d > 0 => d > 1
// wrong: x[i] : 0 => x[i] : 1
// wrong: i < n => i < n - 1
// wrong: i < n => i <= n
// wrong: part[l] += part[l + d] => part[l] += part[l + d] & 0xffff
// wrong: part[l] += part[l + d] => part[l] = max(part[l], part[l + d])
// wrong: atomic_add(sum, part[0]) => atomic_max(sum, part[0])
// wrong: atomic_add(sum, part[0]) => *sum = part[0]
// wrong: atomic_add(sum, part[0]) => atomic_add(sum, part[1])
// wrong: atomic_add(sum, part[0]) => atomic_add(sum, abs(part[0]))
// wrong: l == 0 => l == 0 && part[0] > 0
__kernel void total(__global const int* x, __global int* sum, const int n) {
    __local int part[256];
    const int l = get_local_id(0), i = get_global_id(0);
    part[l] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 128; d > 0; d >>= 1) {
        if (l < d) part[l] += part[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) atomic_add(sum, part[0]);
}
