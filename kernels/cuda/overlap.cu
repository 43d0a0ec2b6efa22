// Generated from kernels/overlap.cl; `meson compile cuda-texts` refreshes it.
#line 1 "overlap.cl"
// Work on words that takes as long as it is told to: ROUNDS steps of a linear congruential generator
// from each word.

__device__ unsigned int turned(const unsigned int start) {
    unsigned int x = start;
    for (unsigned int r = 0; r < ROUNDS; ++r) x = x * 1664525u + 1013904223u;
    return x;
}

extern "C" __global__ void turn(const unsigned int* in, unsigned int* out, const unsigned long long n) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < n) out[i] = turned(in[i]);
}
