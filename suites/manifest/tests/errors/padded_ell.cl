// wrong: if (c >= 0) sum => if (c > 0) sum
// wrong: if (c >= 0) sum => sum
// wrong: k < width => k + 1 < width
__kernel void padded_ell(__global const int* column, __global const float* value,
                         __global const float* x, __global float* y, const int rows,
                         const int width) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < width; ++k) {
        const int c = column[k * rows + row];
        if (c >= 0) sum += value[k * rows + row] * x[c];
    }
    y[row] = sum;
}
