// A picture read through a sampler.
//! refused: 6 read_imagef
__constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE;

__kernel void k(__read_only image2d_t in, __global float4* out) {
    out[get_global_id(0)] = read_imagef(in, plain, (int2)(get_global_id(0), 0));
}
