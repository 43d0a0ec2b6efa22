// groups: ceil(pixels / items_x)
// rgba: input pixels
// hist: in_out 256
// pixels: pixels
// Brightness of pixels is counted in local memory first.
__kernel void luma_hist(__global const uchar4* rgba, __global volatile uint* hist, const uint pixels) {
    __local uint bins[256];
    const uint lid = get_local_id(0);
    for (uint b = lid; b < 256; b += get_local_size(0)) bins[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < pixels; i += get_global_size(0)) {
        const uchar4 p = rgba[i];
        const uint y = (77u * p.x + 150u * p.y + 29u * p.z) >> 8;
        atomic_inc(&bins[y]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = lid; b < 256; b += get_local_size(0))
        if (bins[b] != 0) atomic_add(&hist[b], bins[b]);
}
