// Small pieces of work: each kernel is one group, and leaves the rest of the device to others.

// ROUNDS steps of a linear congruential generator from each of a group's words. No compiler knows
// factor and addend: of steps whose numbers it knows it makes one.
__kernel void small_work(__global const uint* in, __global uint* out, const ulong first,
                         const ulong n, const uint factor, const uint addend) {
    const size_t i = first + get_global_id(0);
    if (i < n) {
        uint x = in[i];
        for (uint r = 0; r < ROUNDS; ++r) x = x * factor + addend;
        out[i] = x;
    }
}
