// Work on words that takes as long as it is told to: ROUNDS steps of a linear congruential generator
// from each word. No compiler knows factor and addend: of steps whose numbers it knows it makes one.

uint turned(const uint start, const uint factor, const uint addend) {
    uint x = start;
    for (uint r = 0; r < ROUNDS; ++r) x = x * factor + addend;
    return x;
}

__kernel void turn(__global const uint* in, __global uint* out, const ulong n, const uint factor,
                   const uint addend) {
    const size_t i = get_global_id(0);
    if (i < n) out[i] = turned(in[i], factor, addend);
}
