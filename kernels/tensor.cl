// c = a * b' for matrices of m x k and n x k elements, row after row: an element of c is a row of a times
// a row of b. Both are read along their rows, which is the form that units for matrices take.

// One element of c an item, by the units for single numbers.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void plain(
    __global const T* a, __global const T* b, __global T* c, const ulong m, const ulong n,
    const ulong k) {
    const size_t column = get_global_id(0);
    const size_t row = get_global_id(1);
    if (row < m && column < n) {
        T sum = 0;
        for (size_t i = 0; i < k; ++i) sum = fma(a[row * k + i], b[column * k + i], sum);
        c[row * n + column] = sum;
    }
}

// The same for factors that are halves, and sums that are floats.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void half_plain(
    __global const half* a, __global const half* b, __global float* c, const ulong m, const ulong n,
    const ulong k) {
    const size_t column = get_global_id(0);
    const size_t row = get_global_id(1);
    if (row < m && column < n) {
        float sum = 0;
        for (size_t i = 0; i < k; ++i) {
            sum = fma(vload_half(row * k + i, a), vload_half(column * k + i, b), sum);
        }
        c[row * n + column] = sum;
    }
}
