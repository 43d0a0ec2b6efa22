// 128 bits.
//! refused: 3 quad
__kernel void k(__global float* out) { quad a = out[0]; }
