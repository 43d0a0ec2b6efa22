// A buffer with room for fewer than ask for it: which of them get in is chance.
// wrong: i < n && => i < n - 1 &&
__kernel void append_bounded(__global const int* in, __global int* out, __global int* count,
                             const int capacity, const int n) {
    const int i = get_global_id(0);
    if (i < n && in[i] > 0) {
        const int slot = atomic_inc(count);
        if (slot < capacity) out[slot] = in[i];
    }
}
