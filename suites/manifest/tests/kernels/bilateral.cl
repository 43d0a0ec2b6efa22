// groups: ceil(width / items_x), ceil(height / items_y)
// src: input width * height
// dst: output width * height
// width: width
// height: height
// radius: any
// sigma_d: any
// sigma_r: any
// An edge-keeping blur of an RGBA picture of bytes.
__kernel void bilateral(__global const uchar4* src, __global uchar4* dst, uint width, uint height,
                        int radius, float sigma_d, float sigma_r) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height) return;
    const float4 centre = convert_float4(src[y * width + x]);
    float4 sum = (float4)(0.0f);
    float weights = 0.0f;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            const int sx = clamp(x + dx, 0, (int)width - 1);
            const int sy = clamp(y + dy, 0, (int)height - 1);
            const float4 p = convert_float4(src[sy * width + sx]);
            const float4 diff = p - centre;
            const float w = native_exp(-(dx * dx + dy * dy) / (2.0f * sigma_d * sigma_d) -
                                       dot(diff.xyz, diff.xyz) / (2.0f * sigma_r * sigma_r));
            sum += w * p;
            weights += w;
        }
    }
    dst[y * width + x] = convert_uchar4_sat_rte(sum / weights);
}
