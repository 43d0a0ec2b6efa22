// Generated from kernels/sphere.cl; `meson compile -C build cuda-sources` refreshes it.
__device__ inline uint2 operator+(uint2 a, uint2 b) { return make_uint2(a.x + b.x, a.y + b.y); }
__device__ inline uint2 operator+(uint2 a, unsigned int b) { return make_uint2(a.x + b, a.y + b); }
__device__ inline uint2 operator+(unsigned int a, uint2 b) { return make_uint2(a + b.x, a + b.y); }
__device__ inline uint2& operator+=(uint2& a, uint2 b) { return a = a + b; }
__device__ inline uint2& operator+=(uint2& a, unsigned int b) { return a = a + b; }
__device__ inline unsigned int mul_hi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
#line 1 "sphere.cl"
// The volume of the unit ball in DIMENSION dimensions, by points drawn at random. Numbers come from
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011),
// a function of a key and a counter: an item needs no state, and any item can draw any number.
//
// `start` holds the key in two words and the counter of the first point in two more, the low word
// first. Point i draws block b of its numbers with the counter {first + i, b, 0}.

// One block of four random words.
__device__ uint4 philox(uint4 counter, uint2 key) {
    for (unsigned int round = 0; round < 10; ++round) {
        const unsigned int high_x = mul_hi(0xD2511F53u, counter.x);
        const unsigned int high_z = mul_hi(0xCD9E8D57u, counter.z);
        counter = make_uint4(high_z ^ counter.y ^ key.x, 0xCD9E8D57u * counter.z,
                          high_x ^ counter.w ^ key.y, 0xD2511F53u * counter.x);
        key += make_uint2(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

__device__ uint4 block_of(const unsigned int* start, const unsigned long long point, const unsigned int block) {
    const unsigned long long at = (((unsigned long long)start[3] << 32) | start[2]) + point;
    return philox(make_uint4((unsigned int)at, (unsigned int)(at >> 32), block, 0),
                  make_uint2(start[0], start[1]));
}

// The square of a coordinate. 24 bits choose one of 2^24 cells of [0, 1), whose middle is an odd
// multiple of 2^-25: whole numbers, so that nothing is rounded anywhere.
__device__ unsigned long long square_of(const unsigned int word) {
    const unsigned long long middle = 2 * (word >> 8) + 1;
    return middle * middle;
}

// Whether a point of the unit cube lies in the ball: its squares, in units of 2^-50, add up to 1 at
// most.
__device__ unsigned int is_inside(const unsigned int* start, const unsigned long long point) {
    unsigned long long sum = 0;
    for (unsigned int block = 0; 4 * block < DIMENSION; ++block) {
        const uint4 words = block_of(start, point, block);
        sum += square_of(words.x);
        if (4 * block + 1 < DIMENSION) sum += square_of(words.y);
        if (4 * block + 2 < DIMENSION) sum += square_of(words.z);
        if (4 * block + 3 < DIMENSION) sum += square_of(words.w);
    }
    return sum <= 0x4000000000000ull ? 1 : 0;
}

// Points that lie inside, of the ITEMS that the item takes: neighbours take neighbours.
__device__ unsigned int count_of(const unsigned int* start, const unsigned long long n) {
    const unsigned long long first = size_t(blockIdx.x) * ((unsigned long long)GROUP * ITEMS) + size_t(threadIdx.x);
    unsigned int count = 0;
    for (unsigned int k = 0; k < ITEMS; ++k) {
        const unsigned long long point = first + (unsigned long long)k * GROUP;
        if (point < n) count += is_inside(start, point);
    }
    return count;
}

// Leaves the sum over a group in part[0], for its first item to read; any GROUP.
__device__ void add_group(unsigned long long* part, const unsigned int lane) {
    for (unsigned int count = GROUP; count > 1; count = (count + 1) / 2) {
        const unsigned int upper = (count + 1) / 2;
        __syncthreads();
        if (lane + upper < count) part[lane] += part[lane + upper];
    }
}

// Every item leaves its count in memory.
extern "C" __global__ void count_items(const unsigned int* start, unsigned long long* counts, const unsigned long long n) {
    counts[(size_t(blockIdx.x) * blockDim.x + threadIdx.x)] = count_of(start, n);
}

// A group adds its counts up before it leaves one.
extern "C" __global__ void count_groups(const unsigned int* start, unsigned long long* counts, const unsigned long long n) {
    __shared__ __align__(ALIGN) unsigned long long part[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    part[lane] = count_of(start, n);
    add_group(part, lane);
    if (lane == 0) counts[size_t(blockIdx.x)] = part[0];
}

// Counts added up, GROUP times ITEMS to one.
extern "C" __global__ void add_counts(const unsigned long long* counts, unsigned long long* sums, const unsigned long long n) {
    __shared__ __align__(ALIGN) unsigned long long part[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t first = size_t(blockIdx.x) * ((size_t)GROUP * ITEMS) + lane;
    unsigned long long mine = 0;
    for (unsigned int k = 0; k < ITEMS; ++k) {
        const size_t i = first + (size_t)k * GROUP;
        if (i < n) mine += counts[i];
    }
    part[lane] = mine;
    add_group(part, lane);
    if (lane == 0) sums[size_t(blockIdx.x)] = part[0];
}

// The numbers themselves: word i is number i % 4 of block 0 of point i / 4.
extern "C" __global__ void stream(const unsigned int* start, unsigned int* words, const unsigned long long n) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (4 * i < n) {
        const uint4 block = block_of(start, i, 0);
        if (4 * i + 3 < n) {
            ((uint4*)words)[i] = block;
        } else {
            words[4 * i] = block.x;
            if (4 * i + 1 < n) words[4 * i + 1] = block.y;
            if (4 * i + 2 < n) words[4 * i + 2] = block.z;
        }
    }
}
