// Each item takes four places.
// wrong: out[at + 3] = 3 => out[at + 3] = 4
__kernel void append_fours(__global const uint* in, __global uint* out, __global uint* count,
                           const uint n) {
    const uint i = get_global_id(0);
    if (i >= n || (in[i] & 1u) == 0) return;
    const uint at = atomic_add(count, 4u);
    out[at] = in[i];
    out[at + 1] = i;
    out[at + 2] = in[i] >> 1;
    out[at + 3] = 3;
}
