// Work on words that takes as long as it is told to: ROUNDS steps of a linear congruential generator
// from each word.

uint turned(const uint start) {
    uint x = start;
    for (uint r = 0; r < ROUNDS; ++r) x = x * 1664525u + 1013904223u;
    return x;
}

__kernel void turn(__global const uint* in, __global uint* out, const ulong n) {
    const size_t i = get_global_id(0);
    if (i < n) out[i] = turned(in[i]);
}
