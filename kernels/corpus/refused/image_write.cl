// A picture written.
//! refused: 3 __write_only
__kernel void k(__write_only image2d_t out, __global const float4* in) {
    write_imagef(out, (int2)(get_global_id(0), 0), in[get_global_id(0)]);
}
