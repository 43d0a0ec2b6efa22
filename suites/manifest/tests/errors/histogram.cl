// wrong: x[i] >> 24 => x[i] >> 25
// wrong: x[i] >> 24 => (x[i] >> 24) & 127
// wrong: x[i] >> 24 => min(x[i] >> 24, 254u)
// wrong: x[i] >> 24 => max(x[i] >> 24, 1u)
// wrong: x[i] >> 24 => (x[i] + 1) >> 24
// wrong: x[i] >> 24 => (x[i] - 1) >> 24
// wrong: x[i] >> 24 => (x[i] >> 23) & 255
// wrong: i < n => i < n - 1
// wrong: i < n => i < n && x[i] != 0
// wrong: i < n => i < n && i > 0
// wrong: const uint i => const ushort i
// wrong: atomic_inc(&bins => atomic_dec(&bins
// wrong: atomic_inc(&bins[x[i] >> 24]) => bins[x[i] >> 24] = 1
__kernel void histogram(__global const uint* x, __global uint* bins, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) atomic_inc(&bins[x[i] >> 24]);
}
