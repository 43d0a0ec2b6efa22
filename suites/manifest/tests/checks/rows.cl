// Rows of several lengths.
// wrong: k < begin[row + 1] => k < begin[row] + 8
// wrong: k = begin[row] => k = 8 * row
__kernel void rows(__global const int* begin, __global const float* values, __global float* sums, const int rows) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = begin[row]; k < begin[row + 1]; ++k) sum += values[k];
    sums[row] = sum;
}
