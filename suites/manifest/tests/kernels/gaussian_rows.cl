// groups: ceil(src_width / items_x), ceil(src_height / items_y)
// src: image src_width src_height
// dst: image src_width src_height
// weights: input 2 * radius + 1
// radius: any
const sampler_t smp = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void gaussian_rows(__read_only image2d_t src, __write_only image2d_t dst,
                            __constant float *weights, int radius)
{
    const int2 pos = (int2)(get_global_id(0), get_global_id(1));
    if (pos.x >= get_image_width(src) || pos.y >= get_image_height(src)) return;
    float4 acc = (float4)(0.0f);
    for (int i = -radius; i <= radius; ++i)
        acc += weights[i + radius] * read_imagef(src, smp, pos + (int2)(i, 0));
    write_imagef(dst, pos, acc);
}
