// An array of pictures of one dimension.
//! refused: 3 image1d_array_t
__kernel void k(__read_only image1d_array_t in, __global int* out) { out[0] = get_image_width(in); }
