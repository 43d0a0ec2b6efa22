// groups: ceil(rows / items_x)
// rows: rows
// row_ptr: input rows + 1
// cols: input 8 * rows
// vals: input 8 * rows
// x: input rows
// y: output rows
__kernel void spmv_csr(const uint rows, __global const uint* row_ptr, __global const uint* cols,
                       __global const float* vals, __global const float* x, __global float* y) {
    const uint row = get_global_id(0);
    if (row < rows) {
        float sum = 0.0f;
        const uint begin = row_ptr[row];
        const uint end = row_ptr[row + 1];
        for (uint j = begin; j < end; ++j) sum += vals[j] * x[cols[j]];
        y[row] = sum;
    }
}
