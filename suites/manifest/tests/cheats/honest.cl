// What all of the cheats claim to work out.

__kernel void honest(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i < n) y[i] = worked_out(x[i]);
}
