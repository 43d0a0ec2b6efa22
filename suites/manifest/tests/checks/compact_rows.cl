// An atomic counter gives the places of pairs, which stay together.
// wrong: out[2 * at + 1] = i => out[2 * at + 1] = n - 1 - i
__kernel void compact_rows(__global const uint* in, __global uint* out, __global uint* count, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n || (in[i] & 1u) == 0) return;
    const uint at = atomic_inc(count);
    out[2 * at] = in[i];
    out[2 * at + 1] = i;
}
