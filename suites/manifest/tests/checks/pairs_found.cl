// Each item may find several, which a counter in a function of the file places.
// wrong: push(found, count, b) => push(found, count, a)
void push(__global uint* found, __global uint* count, uint b) {
    const uint at = atomic_inc(count);
    found[at] = b;
}
__kernel void pairs_found(__global const uint* in, __global uint* found, __global uint* count, const uint n) {
    const uint a = get_global_id(0);
    if (a >= n) return;
    for (uint b = 0; b < 8; ++b) if ((in[a] >> b) & 1u) push(found, count, b);
}
