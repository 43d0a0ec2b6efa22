// out[i] is the sum of in[0] to in[i].
//
// A group takes a tile of GROUP * ITEMS elements, an item ITEMS / 4 fours of it that are GROUP fours apart: its
// loads and stores are wide, and neighbours touch neighbouring words.

// A tile's fours to registers; behind the last element they are 0.
void load_tile(__global const T* in, const ulong n, const size_t start, const uint lane, T4* four) {
    if (start + GROUP * ITEMS <= n) {
        for (uint r = 0; r < ITEMS / 4; ++r) {
            four[r] = ((__global const T4*)(in + start))[r * GROUP + lane];
        }
    } else {
        for (uint r = 0; r < ITEMS / 4; ++r) {
            const size_t i = start + 4 * (r * GROUP + lane);
            four[r] = (T4)(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0,
                           i + 3 < n ? in[i + 3] : 0);
        }
    }
}

// Adds `before` and what stands for each of an item's fours in `sums`, and stores the tile.
void store_tile(__global T* out, const ulong n, const size_t start, const uint lane, const T4* four,
                __local const T* sums, const T before) {
    for (uint r = 0; r < ITEMS / 4; ++r) {
        const T add = before + sums[r * GROUP + lane];
        const T4 value = (T4)(four[r].x + add, four[r].y + add, four[r].z + add, four[r].w + add);
        const size_t i = start + 4 * (r * GROUP + lane);
        if (i + 4 <= n) {
            ((__global T4*)(out + start))[r * GROUP + lane] = value;
        } else {
            if (i < n) out[i] = value.x;
            if (i + 1 < n) out[i + 1] = value.y;
            if (i + 2 < n) out[i + 2] = value.z;
        }
    }
}

// The sum of what the items before this one have, and of all items. In every step an item adds what one twice as
// far before it has; it reads one place of `part` and writes the other, so that one barrier a step is enough.
T sum_before(__local T* part, const uint lane, const T own, T* all) {
    T sum = own;
    uint place = 0;
    for (uint reach = 1; reach < GROUP; reach *= 2) {
        part[place + lane] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane >= reach) sum += part[place + lane - reach];
        place = GROUP - place;
    }
    part[place + lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    *all = part[place + GROUP - 1];
    return lane > 0 ? part[place + lane - 1] : 0;
}

// Makes of each four its own sums, and leaves in `sums` what comes before it in the tile. Returns the tile's sum.
T scan_tile(T4* four, __local T* sums, __local T* part, const uint lane) {
    for (uint r = 0; r < ITEMS / 4; ++r) {
        four[r].y += four[r].x;
        four[r].z += four[r].y;
        four[r].w += four[r].z;
        sums[r * GROUP + lane] = four[r].w;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // From here on an item has fours that follow each other.
    T own[ITEMS / 4];
    T sum = 0;
    for (uint r = 0; r < ITEMS / 4; ++r) {
        own[r] = sums[lane * (ITEMS / 4) + r];
        sum += own[r];
    }
    T all = 0;
    T before = sum_before(part, lane, sum, &all);
    for (uint r = 0; r < ITEMS / 4; ++r) {
        sums[lane * (ITEMS / 4) + r] = before;
        before += own[r];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

// Every tile for itself, and its sum. `of_tiles` holds what comes before each tile where `has_before` is 1.
__kernel void scan_tiles(__global const T* in, __global T* out, __global T* of_tiles, const ulong n,
                         const uint has_before) {
    __local __attribute__((aligned(ALIGN))) T sums[GROUP * ITEMS / 4];
    __local __attribute__((aligned(ALIGN))) T part[2 * GROUP];
    const uint lane = get_local_id(0);
    const size_t tile = get_group_id(0);
    T4 four[ITEMS / 4];
    load_tile(in, n, tile * (GROUP * ITEMS), lane, four);
    const T all = scan_tile(four, sums, part, lane);
    const T before = has_before == 1 && tile > 0 ? of_tiles[tile - 1] : 0;
    store_tile(out, n, tile * (GROUP * ITEMS), lane, four, sums, before);
    if (has_before == 0 && lane == 0) of_tiles[tile] = all;
}

// Nothing but the sum of every tile.
__kernel void sum_tiles(__global const T* in, __global T* of_tiles, const ulong n) {
    __local __attribute__((aligned(ALIGN))) T part[2 * GROUP];
    const uint lane = get_local_id(0);
    T4 four[ITEMS / 4];
    load_tile(in, n, get_group_id(0) * (GROUP * ITEMS), lane, four);
    T sum = 0;
    for (uint r = 0; r < ITEMS / 4; ++r) sum += (four[r].x + four[r].y) + (four[r].z + four[r].w);
    T all = 0;
    sum_before(part, lane, sum, &all);
    if (lane == 0) of_tiles[get_group_id(0)] = all;
}

// Adds to every tile what comes before it.
__kernel void add_before(__global T* out, __global const T* of_tiles, const ulong n) {
    const size_t tile = get_group_id(0) + 1;
    const size_t start = tile * (GROUP * ITEMS);
    const T before = of_tiles[tile - 1];
    for (uint r = 0; r < ITEMS / 4; ++r) {
        const size_t i = start + 4 * (r * GROUP + get_local_id(0));
        if (i + 4 <= n) {
            __global T4* four = (__global T4*)(out + i);
            *four = (T4)(four->x + before, four->y + before, four->z + before, four->w + before);
        } else {
            for (uint e = 0; e < 4 && i + e < n; ++e) out[i + e] += before;
        }
    }
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

// What a tile tells those behind it, in a word that is written at once: the sum's bits, and above them 0 for
// nothing yet, 1 for the sum of the tile, 2 for the sum of all up to its end.
typedef union {
    T value;
    uint bits;
} Sum;

ulong told(const ulong kind, const T value) {
    Sum sum;
    sum.value = value;
    return kind << 32 | sum.bits;
}

T heard(const ulong word) {
    Sum sum;
    sum.bits = (uint)word;
    return sum.value;
}

// Before every scan: no tile was taken, none has told anything.
__kernel void forget(__global ulong* words, const ulong count) {
    const size_t i = get_global_id(0);
    if (i < count) words[i] = 0;
}

// All in one pass over memory. A group takes the next tile that nobody has, so that all tiles before it are
// finished or under way; it tells the tile's sum and asks those before it, the nearest first, until one has said
// what comes up to its end. Groups that have begun must go on while others wait: on GPUs they do, and OpenCL
// does not promise it. words[0] counts tiles, words[t + 1] is what tile t tells.
__kernel void look_back(__global const T* in, __global T* out, volatile __global ulong* words,
                        const ulong n) {
    __local __attribute__((aligned(ALIGN))) T sums[GROUP * ITEMS / 4];
    __local __attribute__((aligned(ALIGN))) T part[2 * GROUP];
    __local __attribute__((aligned(ALIGN))) ulong seen[WINDOW];
    __local uint taken;
    const uint lane = get_local_id(0);
    if (lane == 0) taken = (uint)atom_inc(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t tile = taken;
    T4 four[ITEMS / 4];
    load_tile(in, n, tile * (GROUP * ITEMS), lane, four);
    const T all = scan_tile(four, sums, part, lane);
    if (lane == 0) atom_xchg(words + tile + 1, told(tile == 0 ? 2 : 1, all));
    T before = 0;
    // `last` is one behind the nearest tile that was not asked yet.
    bool more = tile > 0;
    for (size_t last = tile; more; last -= WINDOW) {
        for (uint w = lane; w < WINDOW; w += GROUP) {
            ulong word = (ulong)2 << 32;  // before the first tile there is nothing
            if (w < last) {
                do {
                    word = atom_add(words + last - w, (ulong)0);  // a read that is no race
                } while (word >> 32 == 0);
            }
            seen[w] = word;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint w = 0; w < WINDOW && more; ++w) {
            before += heard(seen[w]);
            more = seen[w] >> 32 == 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0 && tile > 0) atom_xchg(words + tile + 1, told(2, before + all));
    store_tile(out, n, tile * (GROUP * ITEMS), lane, four, sums, before);
}
