// OpenCL multiplies 24 bits here, CUDA's source all of them.
// host: right
// sanitized: failed: mul24() of a number that 24 bits do not hold
__kernel void far_apart(__global const int* x, __global int* y, const int n) {
    const int i = get_global_id(0);
    if (i < n) y[i] = x[i] ^ mul24(i << 20, 3);
}
