// Generated from kernels/constant_memory.cl; `meson compile cuda-texts` refreshes it.
#line 1 "constant_memory.cl"
// Words looked up in a table of 1024, again and again: from constant memory, from global memory through
// a pointer that says constant and one that does not, and from local memory. Items of a group look at
// words `spread` apart; with a spread of 0 all of them look at the same.

// A table that is part of the text: any numbers will do, so they are made by multiplication.
#define WORD(i) ((i) * 4194301u)
#define WORDS_4(i) WORD(i), WORD((i) + 1u), WORD((i) + 2u), WORD((i) + 3u)
#define WORDS_16(i) WORDS_4(i), WORDS_4((i) + 4u), WORDS_4((i) + 8u), WORDS_4((i) + 12u)
#define WORDS_64(i) WORDS_16(i), WORDS_16((i) + 16u), WORDS_16((i) + 32u), WORDS_16((i) + 48u)
#define WORDS_256(i) WORDS_64(i), WORDS_64((i) + 64u), WORDS_64((i) + 128u), WORDS_64((i) + 192u)

__constant__ unsigned int in_text[1024] = {WORDS_256(0u), WORDS_256(256u), WORDS_256(512u), WORDS_256(768u)};

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
