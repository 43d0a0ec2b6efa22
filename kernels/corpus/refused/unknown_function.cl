// A function that nobody defines.
//! refused: 4 no_such_function
__kernel void k(__global float* out) {
    out[0] = no_such_function(out[1]);
}
