// Whole numbers of all bits.
// wrong: in[i] * 3u => (uchar)in[i] * 3u
// wrong: in[i] * 3u => (in[i] & 0xfu) * 3u
__kernel void pack(__global const uint* in, __global uint* out, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) out[i] = in[i] * 3u + 7u;
}
