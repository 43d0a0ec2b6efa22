// The number of dimensions of the launch.
//! refused: 3 get_work_dim
__kernel void k(__global int* out) { out[0] = get_work_dim(); }
