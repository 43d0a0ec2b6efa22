// A picture of three dimensions.
//! refused: 3 image3d_t
__kernel void k(__read_only image3d_t in, __global int* out) { out[0] = get_image_width(in); }
