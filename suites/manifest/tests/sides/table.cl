__kernel void look(__global const float* x, __global float* y, int n, __global const float* table) {
    int i = get_global_id(0);
    if (i < n) y[i] = x[i] + table[i & 3];
}
