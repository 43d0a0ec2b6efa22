__kernel void partial(__global const float* x, __global float* sums, int n) {
    float v = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) v += x[i];
    sums[get_global_id(0)] = v;
}
__kernel void divide(__global float* y, __global const float* x, __global const float* sums, int n) {
    float sum = 0.0f;
    for (int k = 0; k < (int)get_global_size(0); ++k) sum += sums[k];
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[i] / sum;
}
