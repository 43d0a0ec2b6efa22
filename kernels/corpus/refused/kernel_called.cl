// A kernel called as a function.
//! refused: 5 inner
__kernel void inner(__global int* out) { out[0] = 1; }
__kernel void k(__global int* out) {
    inner(out);
}
