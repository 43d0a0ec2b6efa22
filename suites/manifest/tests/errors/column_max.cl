// wrong: int best = INT_MIN => int best = -1000000
// wrong: int best = INT_MIN => int best = 0
// wrong: r < rows; => r + 1 < rows;
__kernel void column_max(__global const int* x, __global int* y, const int rows,
                         const int columns) {
    const int c = get_global_id(0);
    if (c >= columns) return;
    int best = INT_MIN;
    for (int r = 0; r < rows; ++r) best = max(best, x[r * columns + c]);
    y[c] = best;
}
