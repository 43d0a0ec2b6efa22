// wrong: fmax(top, x[r * columns + c]) => (top > x[r * columns + c] ? top : x[r * columns + c])
// wrong: fmax(top, x[r * columns + c]) => fmax(top, fabs(x[r * columns + c]))
// wrong: fmax(top, x[r * columns + c]) => fmin(top, x[r * columns + c])
// wrong: float top = -INFINITY => float top = 0.0f
// wrong: float top = -INFINITY => float top = -1e30f
// wrong: float top = -INFINITY => float top = 1e-30f
// wrong: c < columns => c < columns - 1
// wrong: c = 0 => c = 1
// wrong: r >= rows => r >= rows - 1
// wrong: y[r] = top => if (top > 0.0f) y[r] = top
// wrong: y[r] = top => y[r] = min(top, 1e30f)
__kernel void largest(__global const float* x, __global float* y, const int rows,
                      const int columns) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float top = -INFINITY;
    for (int c = 0; c < columns; ++c) top = fmax(top, x[r * columns + c]);
    y[r] = top;
}
