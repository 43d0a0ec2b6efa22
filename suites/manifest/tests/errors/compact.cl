// wrong: v > limit => v >= limit
// wrong: v > limit => v > 0
// wrong: v > limit => (uint)v > (uint)limit
// wrong: v > limit => (int)((uint)v - (uint)limit) > 0
// wrong: v > limit => abs(v) > limit
// wrong: v > limit => v > limit + 1
// wrong: i < n => i < n - 1
// wrong: atomic_inc(count) => atomic_or(count, 1)
// wrong: kept[atomic_inc(count)] = v => kept[atomic_inc(count)] = v & 0xffffff
// wrong: kept[atomic_inc(count)] = v => kept[atomic_inc(count)] = i
__kernel void compact(__global const int* x, __global int* kept, __global int* count,
                      const int limit, const int n) {
    const int i = get_global_id(0);
    if (i < n) {
        const int v = x[i];
        if (v > limit) kept[atomic_inc(count)] = v;
    }
}
