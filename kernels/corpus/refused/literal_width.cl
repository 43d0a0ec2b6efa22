// Neither one component nor all.
//! refused: 4 float4
__kernel void k(__global float4* out) {
    out[0] = (float4)(1.0f, 2.0f, 3.0f);
}
