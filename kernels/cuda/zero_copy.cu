// Generated from kernels/zero_copy.cl; `meson compile -C build cuda-sources` refreshes it.
#line 1 "zero_copy.cl"
// Every word of the input is read USES times, in rounds over the whole of it: what is read once may be
// read where it is, what is read often should be brought near first.

// The sum of the words i, i + n/USES, i + 2 n/USES, ... around the end: after all items, every word was
// read USES times, and never twice in a row.
extern "C" __global__ void gather(const unsigned int* in, unsigned int* out, const unsigned long long n) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < n) {
        unsigned int sum = 0;
        for (unsigned int u = 0; u < USES; ++u) sum = sum * 31u + in[(i + u * (n / USES)) % n];
        out[i] = sum;
    }
}
