// Small pieces of work: each kernel is one group, and leaves the rest of the device to others.

// ROUNDS steps of a linear congruential generator from each of a group's words.
__kernel void small_work(__global const uint* in, __global uint* out, const ulong first,
                         const ulong n) {
    const size_t i = first + get_global_id(0);
    if (i < n) {
        uint x = in[i];
        for (uint r = 0; r < ROUNDS; ++r) x = x * 1664525u + 1013904223u;
        out[i] = x;
    }
}
