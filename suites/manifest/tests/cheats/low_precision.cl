// It rounds to the ten bits of a half.
// opencl: wrong: allowed is
// host: wrong: allowed is
// sanitized: wrong: allowed is

float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    y[i] = as_float(as_uint(worked_out(x[i])) & 0xffffe000);
}
