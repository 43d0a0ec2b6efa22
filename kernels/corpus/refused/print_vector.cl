// A vector printed at once.
//! refused: 4 %v4f
__kernel void k(__global float4* in) {
    printf("%v4f\n", in[0]);
}
