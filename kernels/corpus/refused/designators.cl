// A place of several steps.
//! refused: 5 .
typedef struct { int a, b[2]; } Pair;
__kernel void k(__global int* out) {
    Pair pair = {.b[1] = 2};
    out[0] = pair.a;
}
