// Complex numbers of the language.
//! refused: 3 complex
__kernel void k(__global float* out) { complex float a = out[0]; }
