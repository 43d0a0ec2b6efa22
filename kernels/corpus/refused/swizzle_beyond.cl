// A component that the vector has not.
//! refused: 4 z
__kernel void k(__global float2* in, __global float* out) {
    out[0] = in[0].z;
}
