// wrong: float low = INFINITY => float low = 0.0f
// wrong: float low = INFINITY => float low = 1.0f
// wrong: high = -INFINITY => high = 0.0f
// wrong: high = -INFINITY => high = FLT_MIN
// wrong: high = -INFINITY => high = -1.0f
__kernel void extremes(__global const float* x, __global float* lows, __global float* highs,
                       const int rows, const int columns) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    float low = INFINITY, high = -INFINITY;
    for (int k = 0; k < columns; ++k) {
        low = fmin(low, x[row * columns + k]);
        high = fmax(high, x[row * columns + k]);
    }
    lows[row] = low;
    highs[row] = high;
}
