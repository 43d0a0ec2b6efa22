// Another one.
//! refused: 4 long
__kernel void k(__global float* out) {
    long double a = out[0];
    out[1] = (float)a;
}
