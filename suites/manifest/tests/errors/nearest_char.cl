// wrong: best = 127 => best = 0
// wrong: v < best => v <= best
// wrong: const char v => const uchar v
__kernel void nearest_char(__global const char* x, __global char* low, __global int* where, const int rows,
                       const int columns) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    char best = 127;
    int at = 0;
    for (int k = 0; k < columns; ++k) {
        const char v = x[row * columns + k];
        if (v < best) {
            best = v;
            at = k;
        }
    }
    low[row] = best;
    where[row] = at;
}
