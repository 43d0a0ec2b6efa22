// y = A x, a row an item; A lies column by column, so that neighbours read neighbours.
__kernel void rows(__global const float* restrict a, __global const float* restrict x,
                   __global float* restrict y, const uint columns) {
    const uint row = get_global_id(0), count = get_global_size(0);
    y[row] = 0.0f;
    for (uint k = 0; k < columns; ++k) {
        y[row] += a[k * count + row] * x[k];
    }
}
