// A helper with the name of a built-in function.
//! refused: 3 clamp
float clamp(float x, float low, float high) { return x; }
__kernel void k(__global float* out) { out[0] = clamp(out[1], 0.0f, 1.0f); }
