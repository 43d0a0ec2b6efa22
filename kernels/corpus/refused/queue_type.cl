// A queue of the device.
//! refused: 3 queue_t
__kernel void k(__global int* out, queue_t q) { out[0] = 1; }
