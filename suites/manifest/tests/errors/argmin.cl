// wrong: v < least => v <= least
// wrong: v < least => v > least
// wrong: v < least => (uint)v < (uint)least
// wrong: v < least => (int)((uint)v - (uint)least) < 0
// wrong: v < least => abs(v) < abs(least)
// wrong: v < least => (float)v < (float)least
// wrong: c < columns => c < columns - 1
// wrong: c = 1 => c = 2
// wrong: int at = 0 => int at = 1
// wrong: r >= rows => r >= rows - 1
// wrong: int least = x[r * columns] => int least = 0
// wrong: int least = x[r * columns] => int least = 1 << 30
__kernel void argmin(__global const int* x, __global int* place, const int rows,
                     const int columns) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int least = x[r * columns];
    int at = 0;
    for (int c = 1; c < columns; ++c) {
        const int v = x[r * columns + c];
        if (v < least) {
            least = v;
            at = c;
        }
    }
    place[r] = at;
}
