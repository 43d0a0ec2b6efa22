// A variable that outlives its launch.
//! refused: 4 static
__kernel void k(__global int* out) {
    static int calls = 0;
    out[0] = ++calls;
}
