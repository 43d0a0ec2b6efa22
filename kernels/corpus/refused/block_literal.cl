// A block of Clang's.
//! refused: 4 int
__kernel void k(__global int* out) {
    int (^block)(int) = ^(int a) { return a + 1; };
    out[0] = block(1);
}
