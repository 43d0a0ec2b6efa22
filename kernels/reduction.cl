// One value from many: their sum (OP 0), minimum (OP 1) or maximum (OP 2).
//
// Every kernel leaves one partial result a work-group; the host launches it again on those until
// one is left. `neutral` is what leaves the other operand as it is. Minimum and maximum pass over a
// NaN, and of nothing but NaN are `neutral`; the sum does not.

T combine(const T a, const T b) {
    if (OP == 0) return a + b;
    if (OP == 1) return (b < a || a != a) ? b : a;
    return (b > a || a != a) ? b : a;
}

// A tree over a group's GROUP values whose active items stay side by side; any GROUP.
void reduce_group(__local T* part, const uint lane) {
    for (uint count = GROUP; count > 1; count = (count + 1) / 2) {
        const uint upper = (count + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane + upper < count) part[lane] = combine(part[lane], part[lane + upper]);
    }
}

// Active items are neighbours; their words are 2, 4, 8, ... apart and meet in banks of local memory.
__kernel void interleaved(__global const T* in, __global T* out, const ulong n, const T neutral) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    const uint lane = get_local_id(0);
    const size_t i = get_global_id(0);
    part[lane] = i < n ? combine(neutral, in[i]) : neutral;
    for (uint stride = 1; stride < GROUP; stride *= 2) {
        const uint at = 2 * stride * lane;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at + stride < GROUP) part[at] = combine(part[at], part[at + stride]);
    }
    if (lane == 0) out[get_group_id(0)] = part[0];
}

// Active items are neighbours, and so are the words that they touch.
__kernel void sequential(__global const T* in, __global T* out, const ulong n, const T neutral) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    const uint lane = get_local_id(0);
    const size_t i = get_global_id(0);
    part[lane] = i < n ? combine(neutral, in[i]) : neutral;
    reduce_group(part, lane);
    if (lane == 0) out[get_group_id(0)] = part[0];
}

// Half of the items had nothing to do in the first step: here each one starts by combining two.
__kernel void first_add(__global const T* in, __global T* out, const ulong n, const T neutral) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    const uint lane = get_local_id(0);
    const size_t i = get_group_id(0) * (2 * GROUP) + lane;
    const T first = i < n ? combine(neutral, in[i]) : neutral;
    const T second = i + GROUP < n ? in[i + GROUP] : neutral;
    part[lane] = combine(first, second);
    reduce_group(part, lane);
    if (lane == 0) out[get_group_id(0)] = part[0];
}

// ITEMS values an item, so that the tree is a small part of the work.
__kernel void items(__global const T* in, __global T* out, const ulong n, const T neutral) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    const uint lane = get_local_id(0);
    const size_t start = get_group_id(0) * (GROUP * ITEMS) + lane;
    T value = neutral;
    if (start - lane + GROUP * ITEMS <= n) {
        for (uint k = 0; k < ITEMS; ++k) value = combine(value, in[start + k * GROUP]);
    } else {
        for (size_t i = start; i < n; i += GROUP) value = combine(value, in[i]);
    }
    part[lane] = value;
    reduce_group(part, lane);
    if (lane == 0) out[get_group_id(0)] = part[0];
}

// The same number of values, four to a load; the last group takes what four do not divide.
__kernel void vector(__global const T* in, __global T* out, const ulong n, const T neutral) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    __global const T4* in4 = (__global const T4*)in;
    const uint lane = get_local_id(0);
    const size_t whole = n / 4;
    const size_t start = get_group_id(0) * (GROUP * ITEMS / 4) + lane;
    T4 value = (T4)(neutral, neutral, neutral, neutral);
    if (start - lane + GROUP * ITEMS / 4 <= whole) {
        for (uint k = 0; k < ITEMS / 4; ++k) {
            const T4 next = in4[start + k * GROUP];
            value.x = combine(value.x, next.x);
            value.y = combine(value.y, next.y);
            value.z = combine(value.z, next.z);
            value.w = combine(value.w, next.w);
        }
    } else {
        for (size_t i = start; i < whole; i += GROUP) {
            const T4 next = in4[i];
            value.x = combine(value.x, next.x);
            value.y = combine(value.y, next.y);
            value.z = combine(value.z, next.z);
            value.w = combine(value.w, next.w);
        }
    }
    if (get_group_id(0) == get_num_groups(0) - 1) {
        for (size_t i = 4 * whole + lane; i < n; i += GROUP) value.x = combine(value.x, in[i]);
    }
    part[lane] = combine(combine(value.x, value.y), combine(value.z, value.w));
    reduce_group(part, lane);
    if (lane == 0) out[get_group_id(0)] = part[0];
}
