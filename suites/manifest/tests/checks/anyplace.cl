// Any index will do, where there is one, and that several are stored is no race.
// sanitized
// wrong: in[i] > 0.9f => in[i] > 99.0f
__kernel void anyplace(__global const float* in, __global int* where, const uint n) {
    const uint i = get_global_id(0);
    if (i < n && in[i] > 0.9f) where[0] = i;
}
