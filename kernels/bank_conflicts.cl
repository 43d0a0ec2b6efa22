// Words of local memory, read by the items of a group a stride apart. A bank gives one word at a time,
// so items whose words lie in the same bank wait for each other.

// As the stride says: with 32 banks, a stride of 2 makes pairs collide, one of 32 makes all.
__kernel void strided(__global const T* in, __global T* out, const uint stride) {
    __local __attribute__((aligned(ALIGN))) T words[WORDS];
    const uint lane = get_local_id(0);
    for (uint k = lane; k < WORDS; k += GROUP) words[k] = in[get_group_id(0) * WORDS + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    T sum = 0;
    for (uint r = 0; r < ROUNDS; ++r) sum += words[(lane * stride + r) % WORDS];
    out[get_global_id(0)] = sum;
}

// The same words, but every 32 of them are followed by a spare one: those that a power of two keeps in
// one bank now lie in different ones.
__kernel void spaced(__global const T* in, __global T* out, const uint stride) {
    __local __attribute__((aligned(ALIGN))) T words[WORDS + WORDS / 32];
    const uint lane = get_local_id(0);
    for (uint k = lane; k < WORDS; k += GROUP) words[k + k / 32] = in[get_group_id(0) * WORDS + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    T sum = 0;
    for (uint r = 0; r < ROUNDS; ++r) {
        const uint k = (lane * stride + r) % WORDS;
        sum += words[k + k / 32];
    }
    out[get_global_id(0)] = sum;
}
