// Generated from kernels/constant_memory.cl; `meson compile -C build cuda-sources` refreshes it.
#line 1 "constant_memory.cl"
// Words looked up in a table of 1024, again and again: from constant memory, from global memory through
// a pointer that says constant and one that does not, and from local memory. Items of a group look at
// words `spread` apart; with a spread of 0 all of them look at the same.

// A table that is part of the text: any numbers will do, so they are made by multiplication.
#define word(i) ((i) * 4194301u)
#define words_4(i) word(i), word((i) + 1u), word((i) + 2u), word((i) + 3u)
#define words_16(i) words_4(i), words_4((i) + 4u), words_4((i) + 8u), words_4((i) + 12u)
#define words_64(i) words_16(i), words_16((i) + 16u), words_16((i) + 32u), words_16((i) + 48u)
#define words_256(i) words_64(i), words_64((i) + 64u), words_64((i) + 128u), words_64((i) + 192u)

__constant__ unsigned int in_text[1024] = {words_256(0u), words_256(256u), words_256(512u), words_256(768u)};

// Which word is looked at in a round.
__device__ unsigned int place(const unsigned int start, const unsigned int spread, const unsigned int round) {
    return (start + spread * (unsigned int)size_t(threadIdx.x) + 7u * round) % 1024u;
}

// From memory that is part of the program: on both sides the device's constant memory.
extern "C" __global__ void constant_data(const unsigned int* starts, unsigned int* out, const unsigned long long n,
                            const unsigned int spread) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const unsigned int start = starts[size_t(blockIdx.x)];
    unsigned int sum = 0;
    for (unsigned int r = 0; r < ROUNDS; ++r) sum = sum * 31u + in_text[place(start, spread, r)];
    if (i < n) out[i] = sum;
}

// From a buffer by a pointer that says constant: OpenCL may put the buffer into constant memory; CUDA
// knows no such pointer, and reads global memory.
extern "C" __global__ void constant_pointer(const unsigned int* table, const unsigned int* starts,
                               unsigned int* out, const unsigned long long n, const unsigned int spread) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const unsigned int start = starts[size_t(blockIdx.x)];
    unsigned int sum = 0;
    for (unsigned int r = 0; r < ROUNDS; ++r) sum = sum * 31u + table[place(start, spread, r)];
    if (i < n) out[i] = sum;
}

// From a buffer by an ordinary pointer: through the caches.
extern "C" __global__ void global_pointer(const unsigned int* table, const unsigned int* starts,
                             unsigned int* out, const unsigned long long n, const unsigned int spread) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const unsigned int start = starts[size_t(blockIdx.x)];
    unsigned int sum = 0;
    for (unsigned int r = 0; r < ROUNDS; ++r) sum = sum * 31u + table[place(start, spread, r)];
    if (i < n) out[i] = sum;
}

// From local memory, into which the group brings the table first.
extern "C" __global__ void local_table(const unsigned int* table, const unsigned int* starts,
                          unsigned int* out, const unsigned long long n, const unsigned int spread) {
    __shared__ __align__(ALIGN) unsigned int near[1024];
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    for (unsigned int k = size_t(threadIdx.x); k < 1024u; k += GROUP) near[k] = table[k];
    __syncthreads();
    const unsigned int start = starts[size_t(blockIdx.x)];
    unsigned int sum = 0;
    for (unsigned int r = 0; r < ROUNDS; ++r) sum = sum * 31u + near[place(start, spread, r)];
    if (i < n) out[i] = sum;
}
