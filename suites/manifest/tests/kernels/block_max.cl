// groups: ceil(n / items_x)
// items: 128
// data: input n
// n: n
// block: output groups_x
#ifndef WG
#define WG 128
#endif
__kernel void block_max(__global const int *data, const uint n, __global int *block)
{
    __local int best[WG];
    const uint lid = get_local_id(0);
    int mine = INT_MIN;
    for (uint i = get_group_id(0) * WG + lid; i < n; i += WG * get_num_groups(0))
        mine = max(mine, data[i]);
    best[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = WG / 2; s > 0; s >>= 1) {
        if (lid < s) best[lid] = max(best[lid], best[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) block[get_group_id(0)] = best[0];
}
