// The sum of every row of a matrix whose rows begin `pitch` elements apart; a group takes a row.

// The items' sums become one.
void add_up(__local T* part, const uint lane, const T own, __global T* out) {
    part[lane] = own;
    for (uint count = GROUP; count > 1; count = (count + 1) / 2) {
        const uint upper = (count + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane + upper < count) part[lane] += part[lane + upper];
    }
    if (lane == 0) *out = part[0];
}

// One element a load, wherever the row begins.
__kernel void single(__global const T* in, __global T* out, const ulong width, const ulong pitch) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    __global const T* row = in + get_group_id(0) * pitch;
    const uint lane = get_local_id(0);
    T sum = 0;
    for (size_t i = lane; i < width; i += GROUP) sum += row[i];
    add_up(part, lane, sum, out + get_group_id(0));
}

// Four elements a load that asks for no alignment: the compiler must assume the worst.
__kernel void four_anywhere(__global const T* in, __global T* out, const ulong width,
                            const ulong pitch) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    __global const T* row = in + get_group_id(0) * pitch;
    const uint lane = get_local_id(0);
    T4 sum = (T4)(0, 0, 0, 0);
    for (size_t i = lane; i < width / 4; i += GROUP) sum += vload4(i, row);
    T own = (sum.x + sum.y) + (sum.z + sum.w);
    for (size_t i = width / 4 * 4 + lane; i < width; i += GROUP) own += row[i];
    add_up(part, lane, own, out + get_group_id(0));
}

// Four elements a wide load, which every row must be aligned for.
__kernel void four_aligned(__global const T* in, __global T* out, const ulong width,
                           const ulong pitch) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    __global const T* row = in + get_group_id(0) * pitch;
    __global const T4* row4 = (__global const T4*)row;
    const uint lane = get_local_id(0);
    T4 sum = (T4)(0, 0, 0, 0);
    for (size_t i = lane; i < width / 4; i += GROUP) sum += row4[i];
    T own = (sum.x + sum.y) + (sum.z + sum.w);
    for (size_t i = width / 4 * 4 + lane; i < width; i += GROUP) own += row[i];
    add_up(part, lane, own, out + get_group_id(0));
}
