// wrong: v >> 31 => v >> 30
// wrong: v >> 31 => (uint)((int)v >> 31)
// wrong: v << 1 => v << 2
// wrong: popcount(v) => popcount(v & 0x7fffffff)
// wrong: popcount(v) => popcount(v & 0xfffffffe)
// wrong: clz(v) => (v == 0 ? 0 : clz(v))
// wrong: clz(v) => clz(v | 1)
// wrong: clz(v) => clz(v & 0x7fffffff)
// wrong: ^ (clz => + (clz
// wrong: i < n => i < n - 1
// wrong: i < n => i <= n
__kernel void bits(__global const uint* x, __global uint* y, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) {
        const uint v = x[i];
        y[i] = (v << 1 | v >> 31) ^ (clz(v) + 64 * popcount(v));
    }
}
