// groups: ceil(size_x / items_x), ceil(size_y / items_y)
// src: input size_x * size_y
// dst: in_out size_x * size_y
// size: any
// sine: any
// cosine: any
__kernel void rotate_image(__global const uchar4* src, __global uchar4* dst, const int2 size,
                           float sine, float cosine) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= size.x || y >= size.y) return;
    const float dx = x - size.x / 2.0f, dy = y - size.y / 2.0f;
    const int from_x = (int)(dx * cosine + dy * sine + size.x / 2.0f);
    const int from_y = (int)(dy * cosine - dx * sine + size.y / 2.0f);
    if (from_x >= 0 && from_x < size.x && from_y >= 0 && from_y < size.y)
        dst[y * size.x + x] = src[from_y * size.x + from_x];
}
