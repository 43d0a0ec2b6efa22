// Generated from kernels/bank_conflicts.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "bank_conflicts.cl"
// Words of local memory, read by the items of a group a stride apart. A bank gives one word at a time,
// so items whose words lie in the same bank wait for each other.

// As the stride says: with 32 banks, a stride of 2 makes pairs collide, one of 32 makes all.
extern "C" __global__ void strided(const float* in, float* out, const unsigned int stride) {
    __shared__ __align__(ALIGN) float words[WORDS];
    const unsigned int lane = size_t(threadIdx.x);
    for (unsigned int k = lane; k < WORDS; k += GROUP) words[k] = in[size_t(blockIdx.x) * WORDS + k];
    __syncthreads();
    float sum = 0;
    for (unsigned int r = 0; r < ROUNDS; ++r) sum += words[(lane * stride + r) % WORDS];
    out[(size_t(blockIdx.x) * blockDim.x + threadIdx.x)] = sum;
}

// The same words, but every 32 of them are followed by a spare one: those that a power of two keeps in
// one bank now lie in different ones.
extern "C" __global__ void spaced(const float* in, float* out, const unsigned int stride) {
    __shared__ __align__(ALIGN) float words[WORDS + WORDS / 32];
    const unsigned int lane = size_t(threadIdx.x);
    for (unsigned int k = lane; k < WORDS; k += GROUP) words[k + k / 32] = in[size_t(blockIdx.x) * WORDS + k];
    __syncthreads();
    float sum = 0;
    for (unsigned int r = 0; r < ROUNDS; ++r) {
        const unsigned int k = (lane * stride + r) % WORDS;
        sum += words[k + k / 32];
    }
    out[(size_t(blockIdx.x) * blockDim.x + threadIdx.x)] = sum;
}
