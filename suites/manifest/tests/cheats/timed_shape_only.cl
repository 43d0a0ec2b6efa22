// Only sizes of whole groups are worked out.
// opencl: wrong: element(s) wrong
// host: wrong: element(s) wrong
// sanitized: wrong: element(s) wrong

float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    if (i / 64 < n / 64) y[i] = worked_out(x[i]);
}
