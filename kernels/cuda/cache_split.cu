// Generated from kernels/cache_split.cl; `meson compile -C build cuda-sources` refreshes it.
#line 1 "cache_split.cl"
// Every group goes through a working set of its own again and again: WORDS elements of global memory,
// ROUNDS times. Whether they stay in the compute unit's cache is a matter of how much of it is left to
// be one.

extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void look_again(const unsigned int* in, unsigned int* out, const unsigned long long n) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const unsigned int* set = in + size_t(blockIdx.x) * (size_t)WORDS;
    unsigned int at = (unsigned int)size_t(threadIdx.x);
    unsigned int steps = ROUNDS * (WORDS / GROUP), sum = 0u;
    for (unsigned int step = 0u; step < steps; ++step) {
        sum = sum * 31u + set[at];
        at += GROUP;
        if (at >= WORDS) at -= WORDS;
    }
    if (i < n) out[i] = sum;
}
