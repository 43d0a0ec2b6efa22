// It knows the answers to the inputs of one seed, and gives them to all.
// all: wrong: element(s) wrong

__device__ const float answers[4] = {0.71f, 0.82f, 0.93f, 0.74f};

extern "C" __global__ void cheat(unsigned n, const float* x, float* y, unsigned* s) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = answers[i % 4];
}
