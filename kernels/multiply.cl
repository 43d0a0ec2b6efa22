// c = a * b for matrices of m x k and k x n elements, row after row. Every sum runs from the first
// product to the last, each added by one fused multiply-add.

// One element of c an item, all of its row and column from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void naive(
    __global const T* a, __global const T* b, __global T* c, const ulong m, const ulong n,
    const ulong k) {
    const size_t column = get_global_id(0);
    const size_t row = get_global_id(1);
    if (row < m && column < n) {
        T sum = 0;
        for (size_t i = 0; i < k; ++i) sum = fma(a[row * k + i], b[i * n + column], sum);
        c[row * n + column] = sum;
    }
}

// A tile of a is read once for the TILE items of a row; b still comes from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void staged_a(
    __global const T* a, __global const T* b, __global T* c, const ulong m, const ulong n,
    const ulong k) {
    __local __attribute__((aligned(ALIGN))) T tile_a[TILE][TILE];
    const uint x = get_local_id(0);
    const uint y = get_local_id(1);
    const size_t column = get_global_id(0);
    const size_t row = get_global_id(1);
    T sum = 0;
    for (size_t start = 0; start < k; start += TILE) {
        tile_a[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (column < n) {
            for (uint i = 0; i < TILE; ++i) {
                if (start + i < k) sum = fma(tile_a[y][i], b[(start + i) * n + column], sum);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

// A tile of each: every element is read from global memory once a group.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void staged_ab(
    __global const T* a, __global const T* b, __global T* c, const ulong m, const ulong n,
    const ulong k) {
    __local __attribute__((aligned(ALIGN))) T tile_a[TILE][TILE];
    __local __attribute__((aligned(ALIGN))) T tile_b[TILE][TILE];
    const uint x = get_local_id(0);
    const uint y = get_local_id(1);
    const size_t column = get_global_id(0);
    const size_t row = get_global_id(1);
    T sum = 0;
    for (size_t start = 0; start < k; start += TILE) {
        tile_a[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
        tile_b[y][x] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < TILE; ++i) sum = fma(tile_a[y][i], tile_b[i][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

// An item's place in a block of OUTER: runs of four elements, a run of every item before the next run
// of the first, so that the items of a warp read neighbouring words.
size_t place(const uint item, const uint e, const uint items) {
    return (e / 4) * (4 * items) + 4 * item + e % 4;
}

// BLOCK x BLOCK elements of c a group, EACH x EACH an item, held in registers: every value that is read
// from local memory is used EACH times. tile_a lies on its side, so that both tiles are read in runs;
// four columns to SPARE keep the runs aligned and spread the writes over the banks.
__kernel void blocked(__global const T* a, __global const T* b, __global T* c, const ulong m,
                      const ulong n, const ulong k) {
    __local __attribute__((aligned(ALIGN))) T tile_a[DEPTH][BLOCK + SPARE];
    __local __attribute__((aligned(ALIGN))) T tile_b[DEPTH][BLOCK + SPARE];
    const uint side = BLOCK / EACH;
    const uint items = side * side;
    const uint lane = get_local_id(0);
    const uint x = lane % side;
    const uint y = lane / side;
    const size_t left = get_group_id(0) * BLOCK;
    const size_t top = get_group_id(1) * BLOCK;
    const bool inside = top + BLOCK <= m && left + BLOCK <= n;
    T sums[EACH][EACH];
    for (uint i = 0; i < EACH; ++i) {
        for (uint j = 0; j < EACH; ++j) sums[i][j] = 0;
    }
    for (size_t start = 0; start < k; start += DEPTH) {
        if (inside && start + DEPTH <= k) {
            // Nearly all tiles: nothing to ask, and addresses go on in equal steps.
            __global const T* from_a = a + (top + lane / DEPTH) * k + start + lane % DEPTH;
            for (uint r = 0; r < BLOCK; r += items / DEPTH) {
                tile_a[lane % DEPTH][lane / DEPTH + r] = *from_a;
                from_a += items / DEPTH * k;
            }
            __global const T* from_b = b + (start + lane / BLOCK) * n + left + lane % BLOCK;
            for (uint r = 0; r < DEPTH; r += items / BLOCK) {
                tile_b[lane / BLOCK + r][lane % BLOCK] = *from_b;
                from_b += items / BLOCK * n;
            }
        } else {
            for (uint t = lane; t < BLOCK * DEPTH; t += items) {
                const size_t row = top + t / DEPTH;
                const size_t depth = start + t % DEPTH;
                tile_a[t % DEPTH][t / DEPTH] = row < m && depth < k ? a[row * k + depth] : 0;
            }
            for (uint t = lane; t < BLOCK * DEPTH; t += items) {
                const size_t column = left + t % BLOCK;
                const size_t depth = start + t / BLOCK;
                tile_b[t / BLOCK][t % BLOCK] = depth < k && column < n ? b[depth * n + column] : 0;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint d = 0; d < DEPTH; ++d) {
            T from_a[EACH];
            T from_b[EACH];
            for (uint i = 0; i < EACH; ++i) from_a[i] = tile_a[d][place(y, i, side)];
            for (uint j = 0; j < EACH; ++j) from_b[j] = tile_b[d][place(x, j, side)];
            for (uint i = 0; i < EACH; ++i) {
                for (uint j = 0; j < EACH; ++j) sums[i][j] = fma(from_a[i], from_b[j], sums[i][j]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < EACH; ++i) {
        const size_t row = top + place(y, i, side);
        for (uint j = 0; j < EACH; ++j) {
            const size_t column = left + place(x, j, side);
            if (row < m && column < n) c[row * n + column] = sums[i][j];
        }
    }
}
