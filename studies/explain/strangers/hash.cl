// Mixes a word with others that it finds by itself, as slow hashes of passwords do.
__kernel void stir(__global const uint* restrict words, __global uint* restrict out,
                   const uint size, const uint rounds, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    uint state = 0x67452301u + i;
    uint at = i;
    for (uint r = 0; r < rounds; ++r) {
        at = (at * 5u + r) % size;
        state = rotate(state ^ words[at], 7u) * 0x9e3779b1u;
    }
    out[i] = state;
}
