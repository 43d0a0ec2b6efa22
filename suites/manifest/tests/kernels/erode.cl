// groups: ceil(w / items_x), ceil(h / items_y)
// in: input h * pitch
// out: output h * pitch
// w: w
// h: h
// pitch: w
// r: any
// The least of a window of a picture of four bytes a pixel, clamped at its edges.
__kernel void erode(__global const uchar4* in, __global uchar4* out, int w, int h, int pitch, int r) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < w && y < h) {
        uchar4 least = (uchar4)(255);
        for (int dy = -r; dy <= r; dy++)
            for (int dx = -r; dx <= r; dx++) {
                const int sx = min(max(x + dx, 0), w - 1);
                const int sy = min(max(y + dy, 0), h - 1);
                least = min(least, in[sy * pitch + sx]);
            }
        out[y * pitch + x] = least;
    }
}
