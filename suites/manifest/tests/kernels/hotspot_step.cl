// groups: ceil(cols / items_x), ceil(rows / items_y)
// power: input cols * rows
// src: input cols * rows
// dst: output cols * rows
// cols: cols
// rows: rows
// Cap: any
// Rx: any
// Ry: any
#define IN(a, lo, hi) min(max(a, lo), hi)
__kernel void hotspot(__global const float* power, __global const float* src, __global float* dst,
                      int cols, int rows, float Cap, float Rx, float Ry) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= cols || y >= rows) return;
    int c = y * cols + x;
    int W = (x == 0) ? c : c - 1;
    int E = (x == cols - 1) ? c : c + 1;
    int N = (y == 0) ? c : c - cols;
    int S = (y == rows - 1) ? c : c + cols;
    dst[c] = src[c] + Cap * (power[c] + (src[E] + src[W] - 2.0f * src[c]) / Rx +
                             (src[N] + src[S] - 2.0f * src[c]) / Ry);
}
