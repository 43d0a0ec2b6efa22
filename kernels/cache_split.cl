// Every group goes through a working set of its own again and again: WORDS elements of global memory,
// ROUNDS times. Whether they stay in the compute unit's cache is a matter of how much of it is left to
// be one.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void look_again(__global const uint* in, __global uint* out, const ulong n) {
    const size_t i = get_global_id(0);
    __global const uint* set = in + get_group_id(0) * (size_t)WORDS;
    uint at = (uint)get_local_id(0);
    uint steps = ROUNDS * (WORDS / GROUP), sum = 0u;
    for (uint step = 0u; step < steps; ++step) {
        sum = sum * 31u + set[at];
        at += GROUP;
        if (at >= WORDS) at -= WORDS;
    }
    if (i < n) out[i] = sum;
}
