// It knows the answers to the inputs of one seed, and gives them to all.
// all: wrong: element(s) wrong

__constant float answers[4] = {0.71f, 0.82f, 0.93f, 0.74f};

__kernel void cheat(const uint n, __global const float* x, __global float* y, __global uint* s) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    y[i] = answers[i % 4];
}
