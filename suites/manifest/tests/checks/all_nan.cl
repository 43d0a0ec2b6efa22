// A root that nothing has: any NaN passes.
// doubtful
__kernel void all_nan(__global const float* in, __global float* out, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) out[i] = sqrt(-1.0f - in[i]);
}
