// A table that the documented range of random leads into.
// elements: table 256
__kernel void lut(__global const float* in, __global const float* table, __global float* out, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) out[i] = table[(int)(in[i] * 256.0f)];
}
