// wrong: r < rows => r + 1 < rows
// wrong: x[r * stride + c] => x[r * columns + c]
// wrong: c >= columns => c >= stride
__kernel void column_sum(__global const float* x, __global float* y, const int rows, const int columns, const int stride) {
    const int c = get_global_id(0);
    if (c >= columns) return;
    float sum = 0.0f;
    for (int r = 0; r < rows; ++r) sum += x[r * stride + c];
    y[c] = sum;
}
