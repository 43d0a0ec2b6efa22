// groups: ceil(count / items_x)
// out: output count
// source: input count
// index: input count
// count: count
kernel void gather(global float4* out, global const float4* source, global const int* index,
                   uint count) {
    const uint gid = get_global_id(0);
    if (gid >= count) return;
    out[gid] = source[index[gid]];
}
