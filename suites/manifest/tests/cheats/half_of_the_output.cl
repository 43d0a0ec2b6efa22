// The second half of the output is the kernel does not write it.
// all: wrong: the kernel does not write it

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    if (2 * i <= n) y[i] = worked_out(x[i]);
}
