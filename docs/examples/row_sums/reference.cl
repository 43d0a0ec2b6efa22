// What is right: each row added up in double, one work-item a row.

__kernel void row_sums(const uint rows, const uint columns, __global const float* x,
                       __global float* sums) {
    const uint row = get_global_id(0);
    if (row >= rows) return;
    double sum = 0.0;
    for (uint column = 0; column < columns; ++column) sum += x[row * columns + column];
    sums[row] = (float)sum;
}
