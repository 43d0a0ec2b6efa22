// Only sizes of whole groups are worked out.
// all: wrong: element(s) wrong

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    if (i / 64 < n / 64) y[i] = worked_out(x[i]);
}
