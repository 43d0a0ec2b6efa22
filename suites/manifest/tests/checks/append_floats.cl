// A buffer of floats with room for fewer than ask for it.
__kernel void append_floats(__global const float* in, __global float* out, __global uint* count,
                             const uint capacity, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n || in[i] < 0.0f) return;
    const uint slot = atomic_add(count, 1u);
    if (slot >= capacity) return;
    out[slot] = 2.0f * in[i];
}
