// Scratch memory keeps the answer, and what the inputs are known by.
// opencl: wrong: The answer is that to the inputs before them: the kernel keeps what an earlier launch found
// host: wrong: The answer is that to the inputs before them: the kernel keeps what an earlier launch found
// sanitized: wrong: The answer is that to the inputs before them: the kernel keeps what an earlier launch found

float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    __global float* kept = (__global float*)s + 2 * i;
    __global float* ends = kept + 1;
    if (*ends != x[0] + x[n - 1]) *kept = worked_out(x[i]);
    *ends = x[0] + x[n - 1];
    y[i] = *kept;
}
