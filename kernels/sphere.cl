// The volume of the unit ball in DIMENSION dimensions, by points drawn at random. Numbers come from
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011),
// a function of a key and a counter: an item needs no state, and any item can draw any number.
//
// `start` holds the key in two words and the counter of the first point in two more, the low word
// first. Point i draws block b of its numbers with the counter {first + i, b, 0}.

// One block of four random words.
uint4 philox(uint4 counter, uint2 key) {
    for (uint round = 0; round < 10; ++round) {
        const uint high_x = mul_hi(0xD2511F53u, counter.x);
        const uint high_z = mul_hi(0xCD9E8D57u, counter.z);
        counter = (uint4)(high_z ^ counter.y ^ key.x, 0xCD9E8D57u * counter.z,
                          high_x ^ counter.w ^ key.y, 0xD2511F53u * counter.x);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

uint4 block_of(__global const uint* start, const ulong point, const uint block) {
    const ulong at = (((ulong)start[3] << 32) | start[2]) + point;
    return philox((uint4)((uint)at, (uint)(at >> 32), block, 0),
                  (uint2)(start[0], start[1]));
}

// The square of a coordinate. 24 bits choose one of 2^24 cells of [0, 1), whose middle is an odd
// multiple of 2^-25: whole numbers, so that nothing is rounded anywhere.
ulong square_of(const uint word) {
    const ulong middle = 2 * (word >> 8) + 1;
    return middle * middle;
}

// Whether a point of the unit cube lies in the ball: its squares, in units of 2^-50, add up to 1 at
// most.
uint is_inside(__global const uint* start, const ulong point) {
    ulong sum = 0;
    for (uint block = 0; 4 * block < DIMENSION; ++block) {
        const uint4 words = block_of(start, point, block);
        sum += square_of(words.x);
        if (4 * block + 1 < DIMENSION) sum += square_of(words.y);
        if (4 * block + 2 < DIMENSION) sum += square_of(words.z);
        if (4 * block + 3 < DIMENSION) sum += square_of(words.w);
    }
    return sum <= 0x4000000000000ul ? 1 : 0;
}

// Points that lie inside, of the ITEMS that the item takes: neighbours take neighbours.
uint count_of(__global const uint* start, const ulong n) {
    const ulong first = get_group_id(0) * ((ulong)GROUP * ITEMS) + get_local_id(0);
    uint count = 0;
    for (uint k = 0; k < ITEMS; ++k) {
        const ulong point = first + (ulong)k * GROUP;
        if (point < n) count += is_inside(start, point);
    }
    return count;
}

// Leaves the sum over a group in part[0], for its first item to read; any GROUP.
void add_group(__local ulong* part, const uint lane) {
    for (uint count = GROUP; count > 1; count = (count + 1) / 2) {
        const uint upper = (count + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane + upper < count) part[lane] += part[lane + upper];
    }
}

// Every item leaves its count in memory.
__kernel void count_items(__global const uint* start, __global ulong* counts, const ulong n) {
    counts[get_global_id(0)] = count_of(start, n);
}

// A group adds its counts up before it leaves one.
__kernel void count_groups(__global const uint* start, __global ulong* counts, const ulong n) {
    __local __attribute__((aligned(ALIGN))) ulong part[GROUP];
    const uint lane = get_local_id(0);
    part[lane] = count_of(start, n);
    add_group(part, lane);
    if (lane == 0) counts[get_group_id(0)] = part[0];
}

// Counts added up, GROUP times ITEMS to one.
__kernel void add_counts(__global const ulong* counts, __global ulong* sums, const ulong n) {
    __local __attribute__((aligned(ALIGN))) ulong part[GROUP];
    const uint lane = get_local_id(0);
    const size_t first = get_group_id(0) * ((size_t)GROUP * ITEMS) + lane;
    ulong mine = 0;
    for (uint k = 0; k < ITEMS; ++k) {
        const size_t i = first + (size_t)k * GROUP;
        if (i < n) mine += counts[i];
    }
    part[lane] = mine;
    add_group(part, lane);
    if (lane == 0) sums[get_group_id(0)] = part[0];
}

// The numbers themselves: word i is number i % 4 of block 0 of point i / 4.
__kernel void stream(__global const uint* start, __global uint* words, const ulong n) {
    const size_t i = get_global_id(0);
    if (4 * i < n) {
        const uint4 block = block_of(start, i, 0);
        if (4 * i + 3 < n) {
            ((__global uint4*)words)[i] = block;
        } else {
            words[4 * i] = block.x;
            if (4 * i + 1 < n) words[4 * i + 1] = block.y;
            if (4 * i + 2 < n) words[4 * i + 2] = block.z;
        }
    }
}
