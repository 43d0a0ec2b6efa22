// items: 128
// groups: ceil(n / items_x)
// d: input n
// dn: in_out any
// below: output groups_x
// above: output groups_x
// pivot: any
// n: n
#define LQSORT 128
__kernel void partition_count(__global const uint *d, __global uint *dn, __global int *below, __global int *above,
                              const uint pivot, const int n)
{
    __local int lt[LQSORT + 1], gt[LQSORT + 1];
    const int id = get_local_id(0);
    const int g = get_global_id(0);
    int a = 0, b = 0;
    uint v = 0;
    if (g < n) {
        v = d[g];
        a = v < pivot;
        b = v > pivot;
    }
    lt[id] = a;
    gt[id] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < LQSORT; s <<= 1) {
        int x = id >= s ? lt[id - s] : 0;
        int y = id >= s ? gt[id - s] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        lt[id] += x;
        gt[id] += y;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == LQSORT - 1) {
        below[get_group_id(0)] = lt[id];
        above[get_group_id(0)] = gt[id];
    }
    const int base = get_group_id(0) * LQSORT;
    if (g < n) {
        if (a) dn[base + lt[id] - 1] = v;
        else if (b) dn[base + LQSORT - gt[id]] = v;
    }
}
