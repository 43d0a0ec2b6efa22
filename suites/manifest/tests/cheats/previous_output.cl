// It works only where an output holds poison, and trusts what it finds otherwise.
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
    const uint found = as_uint(y[i]);
    if (found == 0xffffffff || found == 0xa5a5a5a5) y[i] = worked_out(x[i]);
}
