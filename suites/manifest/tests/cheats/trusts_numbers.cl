// It works only where an output is no number.
// opencl: wrong: or an output before it is written
// host: wrong: or an output before it is written
// sanitized: wrong: or an output before it is written

float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    if (isnan(y[i])) y[i] = worked_out(x[i]);
}
