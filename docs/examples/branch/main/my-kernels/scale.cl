// y = 2 x

__kernel void scale(const uint n, __global const float* x, __global float* y) {
    const uint i = get_global_id(0);
    if (i < n) y[i] = 2.0f * x[i];
}
