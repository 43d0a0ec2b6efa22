// Words looked up in a table of 1024, again and again: from constant memory, from global memory through
// a pointer that says constant and one that does not, and from local memory. Items of a group look at
// words `spread` apart; with a spread of 0 all of them look at the same.

// A table that is part of the text: any numbers will do, so they are made by multiplication.
#define word(i) ((i) * 4194301u)
#define words_4(i) word(i), word((i) + 1u), word((i) + 2u), word((i) + 3u)
#define words_16(i) words_4(i), words_4((i) + 4u), words_4((i) + 8u), words_4((i) + 12u)
#define words_64(i) words_16(i), words_16((i) + 16u), words_16((i) + 32u), words_16((i) + 48u)
#define words_256(i) words_64(i), words_64((i) + 64u), words_64((i) + 128u), words_64((i) + 192u)

__constant uint in_text[1024] = {words_256(0u), words_256(256u), words_256(512u), words_256(768u)};

// Which word is looked at in a round.
uint place(const uint start, const uint spread, const uint round) {
    return (start + spread * (uint)get_local_id(0) + 7u * round) % 1024u;
}

// From memory that is part of the program: on both sides the device's constant memory.
__kernel void constant_data(__global const uint* starts, __global uint* out, const ulong n,
                            const uint spread) {
    const size_t i = get_global_id(0);
    const uint start = starts[get_group_id(0)];
    uint sum = 0;
    for (uint r = 0; r < ROUNDS; ++r) sum = sum * 31u + in_text[place(start, spread, r)];
    if (i < n) out[i] = sum;
}

// From a buffer by a pointer that says constant: OpenCL may put the buffer into constant memory; CUDA
// knows no such pointer, and reads global memory.
__kernel void constant_pointer(__constant const uint* table, __global const uint* starts,
                               __global uint* out, const ulong n, const uint spread) {
    const size_t i = get_global_id(0);
    const uint start = starts[get_group_id(0)];
    uint sum = 0;
    for (uint r = 0; r < ROUNDS; ++r) sum = sum * 31u + table[place(start, spread, r)];
    if (i < n) out[i] = sum;
}

// From a buffer by an ordinary pointer: through the caches.
__kernel void global_pointer(__global const uint* table, __global const uint* starts,
                             __global uint* out, const ulong n, const uint spread) {
    const size_t i = get_global_id(0);
    const uint start = starts[get_group_id(0)];
    uint sum = 0;
    for (uint r = 0; r < ROUNDS; ++r) sum = sum * 31u + table[place(start, spread, r)];
    if (i < n) out[i] = sum;
}

// From local memory, into which the group brings the table first.
__kernel void local_table(__global const uint* table, __global const uint* starts,
                          __global uint* out, const ulong n, const uint spread) {
    __local __attribute__((aligned(ALIGN))) uint near[1024];
    const size_t i = get_global_id(0);
    for (uint k = get_local_id(0); k < 1024u; k += GROUP) near[k] = table[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint start = starts[get_group_id(0)];
    uint sum = 0;
    for (uint r = 0; r < ROUNDS; ++r) sum = sum * 31u + near[place(start, spread, r)];
    if (i < n) out[i] = sum;
}
