// Generated from kernels/scan.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
__device__ inline unsigned long long atomicAdd(volatile unsigned long long* p, unsigned long long value) {
    return atomicAdd((unsigned long long*)p, value);
}
__device__ inline unsigned long long atomicExch(volatile unsigned long long* p, unsigned long long value) {
    return atomicExch((unsigned long long*)p, value);
}
#line 1 "scan.cl"
// out[i] is the sum of in[0] to in[i].
//
// A group takes a tile of GROUP * ITEMS elements, an item ITEMS / 4 fours of it that are GROUP fours apart: its
// loads and stores are wide, and neighbours touch neighbouring words.

// A tile's fours to registers; behind the last element they are 0.
__device__ void load_tile(const float* in, const unsigned long long n, const size_t start, const unsigned int lane, float4* four) {
    if (start + GROUP * ITEMS <= n) {
        for (unsigned int r = 0; r < ITEMS / 4; ++r) {
            four[r] = ((const float4*)(in + start))[r * GROUP + lane];
        }
    } else {
        for (unsigned int r = 0; r < ITEMS / 4; ++r) {
            const size_t i = start + 4 * (r * GROUP + lane);
            four[r] = make_float4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0,
                           i + 3 < n ? in[i + 3] : 0);
        }
    }
}

// Adds `before` and what stands for each of an item's fours in `sums`, and stores the tile.
__device__ void store_tile(float* out, const unsigned long long n, const size_t start, const unsigned int lane, const float4* four,
                const float* sums, const float before) {
    for (unsigned int r = 0; r < ITEMS / 4; ++r) {
        const float add = before + sums[r * GROUP + lane];
        const float4 value = make_float4(four[r].x + add, four[r].y + add, four[r].z + add, four[r].w + add);
        const size_t i = start + 4 * (r * GROUP + lane);
        if (i + 4 <= n) {
            ((float4*)(out + start))[r * GROUP + lane] = value;
        } else {
            if (i < n) out[i] = value.x;
            if (i + 1 < n) out[i + 1] = value.y;
            if (i + 2 < n) out[i + 2] = value.z;
        }
    }
}

// The sum of what the items before this one have, and of all items. In every step an item adds what one twice as
// far before it has; it reads one place of `part` and writes the other, so that one barrier a step is enough.
__device__ float sum_before(float* part, const unsigned int lane, const float own, float* all) {
    float sum = own;
    unsigned int place = 0;
    for (unsigned int reach = 1; reach < GROUP; reach *= 2) {
        part[place + lane] = sum;
        __syncthreads();
        if (lane >= reach) sum += part[place + lane - reach];
        place = GROUP - place;
    }
    part[place + lane] = sum;
    __syncthreads();
    *all = part[place + GROUP - 1];
    return lane > 0 ? part[place + lane - 1] : 0;
}

// Makes of each four its own sums, and leaves in `sums` what comes before it in the tile. Returns the tile's sum.
__device__ float scan_tile(float4* four, float* sums, float* part, const unsigned int lane) {
    for (unsigned int r = 0; r < ITEMS / 4; ++r) {
        four[r].y += four[r].x;
        four[r].z += four[r].y;
        four[r].w += four[r].z;
        sums[r * GROUP + lane] = four[r].w;
    }
    __syncthreads();
    // From here on an item has fours that follow each other.
    float own[ITEMS / 4];
    float sum = 0;
    for (unsigned int r = 0; r < ITEMS / 4; ++r) {
        own[r] = sums[lane * (ITEMS / 4) + r];
        sum += own[r];
    }
    float all = 0;
    float before = sum_before(part, lane, sum, &all);
    for (unsigned int r = 0; r < ITEMS / 4; ++r) {
        sums[lane * (ITEMS / 4) + r] = before;
        before += own[r];
    }
    __syncthreads();
    return all;
}

// Every tile for itself, and its sum. `of_tiles` holds what comes before each tile where `has_before` is 1.
extern "C" __global__ void scan_tiles(const float* in, float* out, float* of_tiles, const unsigned long long n,
                         const unsigned int has_before) {
    __shared__ __align__(ALIGN) float sums[GROUP * ITEMS / 4];
    __shared__ __align__(ALIGN) float part[2 * GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t tile = size_t(blockIdx.x);
    float4 four[ITEMS / 4];
    load_tile(in, n, tile * (GROUP * ITEMS), lane, four);
    const float all = scan_tile(four, sums, part, lane);
    const float before = has_before == 1 && tile > 0 ? of_tiles[tile - 1] : 0;
    store_tile(out, n, tile * (GROUP * ITEMS), lane, four, sums, before);
    if (has_before == 0 && lane == 0) of_tiles[tile] = all;
}

// Nothing but the sum of every tile.
extern "C" __global__ void sum_tiles(const float* in, float* of_tiles, const unsigned long long n) {
    __shared__ __align__(ALIGN) float part[2 * GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    float4 four[ITEMS / 4];
    load_tile(in, n, size_t(blockIdx.x) * (GROUP * ITEMS), lane, four);
    float sum = 0;
    for (unsigned int r = 0; r < ITEMS / 4; ++r) sum += (four[r].x + four[r].y) + (four[r].z + four[r].w);
    float all = 0;
    sum_before(part, lane, sum, &all);
    if (lane == 0) of_tiles[size_t(blockIdx.x)] = all;
}

// Adds to every tile what comes before it.
extern "C" __global__ void add_before(float* out, const float* of_tiles, const unsigned long long n) {
    const size_t tile = size_t(blockIdx.x) + 1;
    const size_t start = tile * (GROUP * ITEMS);
    const float before = of_tiles[tile - 1];
    for (unsigned int r = 0; r < ITEMS / 4; ++r) {
        const size_t i = start + 4 * (r * GROUP + size_t(threadIdx.x));
        if (i + 4 <= n) {
            float4* four = (float4*)(out + i);
            *four = make_float4(four->x + before, four->y + before, four->z + before, four->w + before);
        } else {
            for (unsigned int e = 0; e < 4 && i + e < n; ++e) out[i + e] += before;
        }
    }
}



// What a tile tells those behind it, in a word that is written at once: the sum's bits, and above them 0 for
// nothing yet, 1 for the sum of the tile, 2 for the sum of all up to its end.
typedef union {
    float value;
    unsigned int bits;
} Sum;

__device__ unsigned long long told(const unsigned long long kind, const float value) {
    Sum sum;
    sum.value = value;
    return kind << 32 | sum.bits;
}

__device__ float heard(const unsigned long long word) {
    Sum sum;
    sum.bits = (unsigned int)word;
    return sum.value;
}

// Before every scan: no tile was taken, none has told anything.
extern "C" __global__ void forget(unsigned long long* words, const unsigned long long count) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < count) words[i] = 0;
}

// All in one pass over memory. A group takes the next tile that nobody has, so that all tiles before it are
// finished or under way; it tells the tile's sum and asks those before it, the nearest first, until one has said
// what comes up to its end. Groups that have begun must go on while others wait: on GPUs they do, and OpenCL
// does not promise it. words[0] counts tiles, words[t + 1] is what tile t tells.
extern "C" __global__ void look_back(const float* in, float* out, volatile unsigned long long* words,
                        const unsigned long long n) {
    __shared__ __align__(ALIGN) float sums[GROUP * ITEMS / 4];
    __shared__ __align__(ALIGN) float part[2 * GROUP];
    __shared__ __align__(ALIGN) unsigned long long seen[WINDOW];
    __shared__ unsigned int taken;
    const unsigned int lane = size_t(threadIdx.x);
    if (lane == 0) taken = (unsigned int)atomicAdd(words, 1);
    __syncthreads();
    const size_t tile = taken;
    float4 four[ITEMS / 4];
    load_tile(in, n, tile * (GROUP * ITEMS), lane, four);
    const float all = scan_tile(four, sums, part, lane);
    if (lane == 0) atomicExch(words + tile + 1, told(tile == 0 ? 2 : 1, all));
    float before = 0;
    // `last` is one behind the nearest tile that was not asked yet.
    bool more = tile > 0;
    for (size_t last = tile; more; last -= WINDOW) {
        for (unsigned int w = lane; w < WINDOW; w += GROUP) {
            unsigned long long word = (unsigned long long)2 << 32;  // before the first tile there is nothing
            if (w < last) {
                do {
                    word = atomicAdd(words + last - w, (unsigned long long)0);  // a read that is no race
                } while (word >> 32 == 0);
            }
            seen[w] = word;
        }
        __syncthreads();
        for (unsigned int w = 0; w < WINDOW && more; ++w) {
            before += heard(seen[w]);
            more = seen[w] >> 32 == 1;
        }
        __syncthreads();
    }
    if (lane == 0 && tile > 0) atomicExch(words + tile + 1, told(2, before + all));
    store_tile(out, n, tile * (GROUP * ITEMS), lane, four, sums, before);
}
