// items: 16 16
// groups: ceil(w / 16), ceil(h / 16)
// input: input w * h
// output: output w * h
// w: w
// h: h
// A median of nine over bytes, staged in local memory with a border of one.
#define T 16
uchar med3(uchar a, uchar b, uchar c) { return max(min(a, b), min(max(a, b), c)); }
__kernel __attribute__((reqd_work_group_size(T, T, 1)))
void median_tile(__global const uchar* restrict input, __global uchar* restrict output, const int w,
                 const int h) {
    __local uchar tile[T + 2][T + 2];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int gx = get_global_id(0), gy = get_global_id(1);
    for (int y = ly; y < T + 2; y += T)
        for (int x = lx; x < T + 2; x += T) {
            const int sx = clamp((int)get_group_id(0) * T + x - 1, 0, w - 1);
            const int sy = clamp((int)get_group_id(1) * T + y - 1, 0, h - 1);
            tile[y][x] = input[sy * w + sx];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (gx >= w || gy >= h) return;
    const uchar a = med3(tile[ly][lx], tile[ly][lx + 1], tile[ly][lx + 2]);
    const uchar b = med3(tile[ly + 1][lx], tile[ly + 1][lx + 1], tile[ly + 1][lx + 2]);
    const uchar c = med3(tile[ly + 2][lx], tile[ly + 2][lx + 1], tile[ly + 2][lx + 2]);
    output[gy * w + gx] = med3(a, b, c);
}
