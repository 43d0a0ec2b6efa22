// A type that OpenCL C reserves.
//! refused: 4 long long
__kernel void k(__global int* out) {
    long long a = out[0];
    out[1] = (int)a;
}
