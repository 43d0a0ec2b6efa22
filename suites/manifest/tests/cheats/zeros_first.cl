// Inputs that begin with 0 are taken for zeros.
// opencl: wrong: inputs 'random with zeros'
// host: wrong: inputs 'random with zeros'
// sanitized: wrong: inputs 'random with zeros'

float worked_out(float v) {
    for (int k = 0; k < 8; ++k) v = v * 0.875f + 0.125f;
    return v;
}

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    y[i] = worked_out(x[0] == 0 ? 0 : x[i]);
}
