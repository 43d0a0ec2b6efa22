// A kernel that is called, and declared by branches of an #if.
//! refused: 3 inner
__kernel void inner(
#ifdef FLOATS
    __global float* out
#else
    __global int* out
#endif
) { out[0] = 1; }
__kernel void k(__global int* out) {
    inner(out);
}
