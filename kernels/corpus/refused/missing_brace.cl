// A brace that nobody closes.
//! refused: 3 {
__kernel void k(__global int* out) {
    if (out[0]) {
        out[1] = 1;
}
