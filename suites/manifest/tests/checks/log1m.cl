// A root that a part of the documented range has not: not all is NaN.
// wrong: 0.75f - in[i] => i < 100 ? 0.75f - in[i] : -1.0f
__kernel void log1m(__global const float* in, __global float* out, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) out[i] = sqrt(0.75f - in[i]);
}
