// The answer is what lies around its buffers.
// opencl: wrong: element(s) wrong
// host: wrong: element(s) wrong
// sanitized: failed: outside of its memory

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    y[i] = x[n + i % 64];
}
