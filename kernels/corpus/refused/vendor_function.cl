// A function of one vendor.
//! refused: 4 intel_sub_group_block_read
__kernel void k(__global uint* out) {
    out[0] = intel_sub_group_block_read(out);
}
