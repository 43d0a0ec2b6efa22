// groups: ceil(width / items_x), ceil(height / items_y)
// y_plane: input width * height
// y_pitch: width
// uv_plane: input width * height / 2 + 1
// uv_pitch: width
// dst: output width * height
// dst_pitch: 4 * width
// width: width
// height: height
// A frame of a plane of grey and one of colours at half the size, as pixels.
__kernel void frame_to_pixels(__global const uchar* y_plane, int y_pitch,
                              __global const uchar* uv_plane, int uv_pitch, __global uchar4* dst,
                              int dst_pitch, int width, int height) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    const float grey = 1.164f * (y_plane[y * y_pitch + x] - 16.0f);
    const int at = (y >> 1) * uv_pitch + (x & ~1);
    const float u = uv_plane[at] - 128.0f, v = uv_plane[at + 1] - 128.0f;
    uchar4 pixel;
    pixel.x = convert_uchar_sat_rte(grey + 1.596f * v);
    pixel.y = convert_uchar_sat_rte(grey - 0.813f * v - 0.391f * u);
    pixel.z = convert_uchar_sat_rte(grey + 2.018f * u);
    pixel.w = 255;
    dst[y * (dst_pitch / 4) + x] = pixel;
}
