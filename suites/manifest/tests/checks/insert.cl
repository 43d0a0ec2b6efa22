// Keys in a table with open addresses.
// elements: table 32768
// wrong: key[i] * 2654435761u => key[i] * 2654435769u
__kernel void insert(__global const uint* key, __global uint* table, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    uint at = (key[i] * 2654435761u) & 32767;
    for (uint tries = 0; tries < 32768; ++tries) {
        const uint old = atomic_cmpxchg(&table[at], 0u, key[i]);
        if (old == 0u || old == key[i]) return;
        at = (at + 1) & 32767;
    }
}
