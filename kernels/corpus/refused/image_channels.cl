// A kernel that asks for the order of a picture's channels.
//! refused: 4 get_image_channel_order
__kernel void k(__read_only image2d_t in, __global int* out) {
    out[0] = get_image_channel_order(in);
}
