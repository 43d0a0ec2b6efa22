// Generated from kernels/overlap.cl; `meson compile -C build cuda-sources` refreshes it.
#line 1 "overlap.cl"
// Work on words that takes as long as it is told to: ROUNDS steps of a linear congruential generator
// from each word. No compiler knows factor and addend: of steps whose numbers it knows it makes one.

__device__ unsigned int turned(const unsigned int start, const unsigned int factor, const unsigned int addend) {
    unsigned int x = start;
    for (unsigned int r = 0; r < ROUNDS; ++r) x = x * factor + addend;
    return x;
}

extern "C" __global__ void turn(const unsigned int* in, unsigned int* out, const unsigned long long n, const unsigned int factor,
                   const unsigned int addend) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < n) out[i] = turned(in[i], factor, addend);
}
