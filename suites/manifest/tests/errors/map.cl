// wrong: i < n => i < n - 1
// wrong: i < n => i <= n
// wrong: x[i] < 0 => x[i] <= 0
// wrong: x[i] < 0 => x[i] < -2
// wrong: ? -1 => ? 1
// wrong: x[i] > 100 => x[i] > 101
// wrong: x[i] > 100 => x[i] > 127
// wrong: ? 100 => ? 101
// wrong: const int v = x[i] => const short v = x[i]
// wrong: const int v = x[i] => const int v = x[i] & 0x7fffffff
// wrong: const int v = x[i] => const int v = (int)(float)x[i]
// wrong: const uint i => const ushort i
// wrong: y[i] = => if (v != 0) y[i] =
__kernel void limit(__global const int* x, __global int* y, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) {
        const int v = x[i];
        y[i] = x[i] < 0 ? -1 : x[i] > 100 ? 100 : v;
        y[i] = y[i] ^ v;
    }
}
