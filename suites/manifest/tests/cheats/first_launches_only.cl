// From the twelfth launch on it does nothing.
// opencl: wrong: element(s) wrong
// cuda: wrong: element(s) wrong

__global uint launches[4096];

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    if (++launches[i] < 12) y[i] = worked_out(x[i]);
}
