// A pointer to a function.
//! refused: 6 pointer
int one(int a) { return a; }
__kernel void k(__global int* out) {
    int (*pointer)(int) = one;
    out[0] = pointer(1);
}
