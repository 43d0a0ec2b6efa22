// Elements that are apart.
// wrong: x[i * incx] => x[i]
// wrong: y[i * incy] => y[i * incx]
__kernel void strides(__global const float* x, const int incx, __global float* y, const int incy, const int n) {
    const int i = get_global_id(0);
    if (i < n) y[i * incy] += 2.0f * x[i * incx];
}
