// A sum in any order.
// wrong: as_float(seen) + in[i] => as_float(seen) + 1.01f * in[i]
__kernel void atomicfloat(__global const float* in, __global uint* total, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) {
        uint old = total[0], seen;
        do {
            seen = old;
            old = atomic_cmpxchg(total, seen, as_uint(as_float(seen) + in[i]));
        } while (old != seen);
    }
}
