// Generated from kernels/concurrency.cl; `meson compile -C build cuda-sources` refreshes it.
#line 1 "concurrency.cl"
// Small pieces of work: each kernel is one group, and leaves the rest of the device to others.

// ROUNDS steps of a linear congruential generator from each of a group's words. No compiler knows
// factor and addend: of steps whose numbers it knows it makes one.
extern "C" __global__ void small_work(const unsigned int* in, unsigned int* out, const unsigned long long first,
                         const unsigned long long n, const unsigned int factor, const unsigned int addend) {
    const size_t i = first + (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < n) {
        unsigned int x = in[i];
        for (unsigned int r = 0; r < ROUNDS; ++r) x = x * factor + addend;
        out[i] = x;
    }
}
