// A picture read and written by one kernel.
//! refused: 3 __read_write
__kernel void k(__read_write image2d_t picture, __global const float4* in) {
    write_imagef(picture, (int2)(get_global_id(0), 0), in[get_global_id(0)]);
}
