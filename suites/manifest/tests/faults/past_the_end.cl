// What it reads past the end of its input is in the answer.
// elements: x "n"
// host: wrong: the kernel reads outside of its buffers
// sanitized: failed: it reads 4 byte(s) outside of its memory
__kernel void past_the_end(__global const uint* x, __global uint* y, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) y[i] = x[i] ^ x[i + 3];
}
