// Branches of an #if that open different brackets.
//! refused: 6 #else
__kernel void k(__global int* out) {
#ifdef FAST
    if (out[0] > 0) {
#else
    {
        if (out[1] > 0) {
#endif
        out[0] = 1;
    }
}
