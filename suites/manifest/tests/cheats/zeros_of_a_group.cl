// A group whose first input is 0 leaves its work out.
// all: wrong: inputs 'random with extremes'

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    if (x[i / 64 * 64] != 0) y[i] = worked_out(x[i]);
}
