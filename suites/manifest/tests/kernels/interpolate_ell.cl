// groups: ceil(num_rows / items_x)
// cols: input num_rows * max_entries
// vals: input num_rows * max_entries
// x: input num_cols
// y: in_out num_rows
// num_rows: num_rows
// num_cols: num_cols
// max_entries: max_entries
// scale: any
// A coarse correction is added to the fine grid by an interpolation matrix with padded rows.
__kernel void interpolate(__global const int* cols, __global const double* vals,
                          __global const double* x, __global double* y, int num_rows, int num_cols,
                          int max_entries, double scale) {
    const int row = get_global_id(0);
    if (row >= num_rows) return;
    double sum = 0.0;
    for (int k = 0; k < max_entries; k++) {
        const int c = cols[k * num_rows + row];
        if (c >= 0 && c < num_cols) sum += vals[k * num_rows + row] * x[c];
    }
    y[row] += scale * sum;
}
