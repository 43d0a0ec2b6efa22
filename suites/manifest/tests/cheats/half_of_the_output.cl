// The second half of the output is the kernel does not write it.
// opencl: wrong: the kernel does not write it
// host: wrong: the kernel does not write it
// sanitized: wrong: the kernel does not write it

float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    if (2 * i <= n) y[i] = worked_out(x[i]);
}
