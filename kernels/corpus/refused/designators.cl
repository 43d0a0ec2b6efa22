// Members out of order.
//! refused: 5 b
typedef struct { int a, b; } Pair;
__kernel void k(__global int* out) {
    Pair pair = {.b = 1, .a = 2};
    out[0] = pair.a;
}
