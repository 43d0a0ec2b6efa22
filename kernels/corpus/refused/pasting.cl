// Names that are put together.
//! refused: 3 ##
#define JOIN(a, b) a##b
__kernel void k(__global float4* out) { out[0] = JOIN(convert_, float4)((int4)(1)); }
