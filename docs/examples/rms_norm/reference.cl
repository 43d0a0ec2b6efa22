// What is right: the same in double, one work-item a row.

__kernel void rms_norm(__global const float* x, __global float* y, const uint rows, const uint columns) {
    const uint row = get_global_id(0);
    if (row >= rows) return;
    double squares = 0.0;
    for (uint column = 0; column < columns; ++column) {
        const double value = x[row * columns + column];
        squares += value * value;
    }
    const double scale = 1.0 / sqrt(squares / columns + 1e-6);
    for (uint column = 0; column < columns; ++column) {
        y[row * columns + column] = (float)(x[row * columns + column] * scale);
    }
}
