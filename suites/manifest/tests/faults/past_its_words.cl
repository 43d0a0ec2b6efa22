// Its bits have places for 64 of 256 numbers.
// sanitized: failed: an index outside of its array
__kernel void past_its_words(__global const uchar* x, __global uint* y) {
    __local uint bits[2];
    const uint l = get_local_id(0), i = get_global_id(0);
    if (l < 2) bits[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_or(&bits[x[i] >> 5], 1u << (x[i] & 31u));
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = bits[l & 1u];
}
