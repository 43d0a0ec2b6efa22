// y = a * x + y, one element a work-item, and four at once.

__kernel void saxpy(const uint n, const float a, __global const float* x, __global float* y) {
    const uint i = get_global_id(0);
    if (i < n) y[i] = fma(a, x[i], y[i]);
}

// n is a multiple of four here, and every work-item has its four elements.
__kernel void saxpy4(const float a, __global const float4* x, __global float4* y) {
    const uint i = get_global_id(0);
    y[i] = fma((float4)(a), x[i], y[i]);
}
