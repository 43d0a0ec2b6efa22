// wrong: 2 * i + 1 < n => 2 * i + 2 < n
// wrong: 2 * i < n => 2 * i + 1 < n
// wrong: : x[2 * i] => : 0
__kernel void pairs(__global const int* x, __global int* y, const int n) {
    const int i = get_global_id(0);
    if (2 * i < n) y[i] = 2 * i + 1 < n ? x[2 * i] + x[2 * i + 1] : x[2 * i];
}
