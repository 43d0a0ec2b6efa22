// Answers of which most are below the tolerance.
// doubtful
// doubtful: exp(-40.0f * in[i]) => exp(-40.0f * in[i]) + 9e-7f
__kernel void expsmall(__global const float* in, __global float* out, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) out[i] = exp(-40.0f * in[i]);
}
