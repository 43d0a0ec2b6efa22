// A sampler of the file.
//! refused: 3 sampler_t
__constant sampler_t how = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void k(__global int* out) { out[0] = 1; }
