// wrong: k < offsets[r + 1] => k < min(offsets[r + 1], offsets[r] + 40)
// wrong: k < offsets[r + 1] => k + 1 < offsets[r + 1]
// wrong: fmax(best, values[k]) => fmax(best, fabs(values[k]))
__kernel void row_max(__global const int* offsets, __global const float* values, __global float* y,
                      const int rows) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float best = -INFINITY;
    for (int k = offsets[r]; k < offsets[r + 1]; ++k) best = fmax(best, values[k]);
    y[r] = best;
}
