// A word that is reserved, and no type.
//! refused: 3 imaginary
__kernel void k(__global float* out) { imaginary a; out[0] = 1; }
