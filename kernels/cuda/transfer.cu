// Generated from kernels/transfer.cl; `meson compile -C build cuda-sources` refreshes it.
#line 1 "transfer.cl"
// Words copied by a kernel, where one of the two sides may be memory of the host.

// One word an item: what the link gives to loads (`from` is the host's) or to stores (`to` is).
extern "C" __global__ void copy_words(const int* from, int* to, const unsigned long long n) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < n) to[i] = from[i];
}
