// wrong: out[y * pitch + x] => out[y * width + x]
// wrong: in[y * pitch + x] => in[y * width + x]
// wrong: in[y * pitch + x] + => in[y * pitch + x - 1] +
// wrong: x >= width || => x > width ||
__kernel void pitched(__global const int* in, __global int* out, const int width, const int height,
                      const int pitch) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    out[y * pitch + x] = 2 * in[y * pitch + x] + 1;
}
