// groups: ceil(cols / items_x), ceil(rows / items_y)
// src: input rows * src_step
// src_step: 3 * cols
// dst: output rows * dst_step
// dst_step: cols
// rows: rows
// cols: cols
// Rows have a step in bytes.
__kernel void rgb2gray(__global const uchar* src, int src_step, __global uchar* dst, int dst_step,
                       int rows, int cols) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < cols && y < rows) {
        __global const uchar* p = src + mad24(y, src_step, x * 3);
        int v = (p[0] * 1868 + p[1] * 9617 + p[2] * 4899 + 8192) >> 14;
        dst[mad24(y, dst_step, x)] = (uchar)v;
    }
}
