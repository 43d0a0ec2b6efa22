// It looks at what lies past the end of its input, and its answer does not show that.
// opencl: unchecked: Reads outside of buffers
// host: unchecked: Reads outside of buffers
// sanitized: failed: outside of its memory

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    y[i] = x[n + 1] == 1234.5f ? 0 : worked_out(x[i]);
}
