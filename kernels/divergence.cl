// Paths through a kernel: what it costs when neighbours take different ones.
//
// Path p is a chain of ROUNDS fused multiply-adds with coefficients of its own. The loop over all
// paths is the same for all items, and so are its loads; an item enters the one that is its own.
// Where neighbours differ, a warp goes through all of them, one after the other.

// MODE 0: items side by side take different paths. MODE 1: warps side by side do, and all items of
// a warp the same.
uint path_of(const size_t i, const uint paths) {
    return (uint)((MODE == 0 ? i : i / WARP) % paths);
}

__kernel void chains(__global const T* in, __global const T* coefficients, __global T* out,
                     const ulong n, const uint paths) {
    const size_t i = get_global_id(0);
    if (i < n) {
        const uint mine = path_of(i, paths);
        T x = in[i];
        for (uint path = 0; path < paths; ++path) {
            if (path == mine) {
                const T a = coefficients[2 * path];
                const T b = coefficients[2 * path + 1];
                for (uint r = 0; r < ROUNDS; ++r) x = fma(x, a, b);
            }
        }
        out[i] = x;
    }
}
