// Generated from kernels/multiply.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "multiply.cl"
// c = a * b for matrices of m x k and k x n elements, row after row. Every sum runs from the first
// product to the last, each added by one fused multiply-add.

// One element of c an item, all of its row and column from global memory.
extern "C" __global__ __launch_bounds__((TILE) * (TILE) * (1)) void naive(
    const float* a, const float* b, float* c, const unsigned long long m, const unsigned long long n,
    const unsigned long long k) {
    const size_t column = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t row = (size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (row < m && column < n) {
        float sum = 0;
        for (size_t i = 0; i < k; ++i) sum = fma(a[row * k + i], b[i * n + column], sum);
        c[row * n + column] = sum;
    }
}

// A tile of a is read once for the TILE items of a row; b still comes from global memory.
extern "C" __global__ __launch_bounds__((TILE) * (TILE) * (1)) void staged_a(
    const float* a, const float* b, float* c, const unsigned long long m, const unsigned long long n,
    const unsigned long long k) {
    __shared__ __align__(ALIGN) float tile_a[TILE][TILE];
    const unsigned int x = size_t(threadIdx.x);
    const unsigned int y = size_t(threadIdx.y);
    const size_t column = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t row = (size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    float sum = 0;
    for (size_t start = 0; start < k; start += TILE) {
        tile_a[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
        __syncthreads();
        if (column < n) {
            for (unsigned int i = 0; i < TILE; ++i) {
                if (start + i < k) sum = fma(tile_a[y][i], b[(start + i) * n + column], sum);
            }
        }
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

// A tile of each: every element is read from global memory once a group.
extern "C" __global__ __launch_bounds__((TILE) * (TILE) * (1)) void staged_ab(
    const float* a, const float* b, float* c, const unsigned long long m, const unsigned long long n,
    const unsigned long long k) {
    __shared__ __align__(ALIGN) float tile_a[TILE][TILE];
    __shared__ __align__(ALIGN) float tile_b[TILE][TILE];
    const unsigned int x = size_t(threadIdx.x);
    const unsigned int y = size_t(threadIdx.y);
    const size_t column = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t row = (size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    float sum = 0;
    for (size_t start = 0; start < k; start += TILE) {
        tile_a[y][x] = row < m && start + x < k ? a[row * k + start + x] : 0;
        tile_b[y][x] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
        __syncthreads();
        for (unsigned int i = 0; i < TILE; ++i) sum = fma(tile_a[y][i], tile_b[i][x], sum);
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

// An item's place in a block of OUTER: runs of four elements, a run of every item before the next run
// of the first, so that the items of a warp read neighbouring words.
__device__ size_t place(const unsigned int item, const unsigned int e, const unsigned int items) {
    return (e / 4) * (4 * items) + 4 * item + e % 4;
}

// BLOCK x BLOCK elements of c a group, EACH x EACH an item, held in registers: every value that is read
// from local memory is used EACH times. tile_a lies on its side, so that both tiles are read in runs;
// four columns to SPARE keep the runs aligned and spread the writes over the banks.
extern "C" __global__ void blocked(const float* a, const float* b, float* c, const unsigned long long m,
                      const unsigned long long n, const unsigned long long k) {
    __shared__ __align__(ALIGN) float tile_a[DEPTH][BLOCK + SPARE];
    __shared__ __align__(ALIGN) float tile_b[DEPTH][BLOCK + SPARE];
    const unsigned int side = BLOCK / EACH;
    const unsigned int items = side * side;
    const unsigned int lane = size_t(threadIdx.x);
    const unsigned int x = lane % side;
    const unsigned int y = lane / side;
    const size_t left = size_t(blockIdx.x) * BLOCK;
    const size_t top = size_t(blockIdx.y) * BLOCK;
    const bool inside = top + BLOCK <= m && left + BLOCK <= n;
    float sums[EACH][EACH];
    for (unsigned int i = 0; i < EACH; ++i) {
        for (unsigned int j = 0; j < EACH; ++j) sums[i][j] = 0;
    }
    for (size_t start = 0; start < k; start += DEPTH) {
        if (inside && start + DEPTH <= k) {
            // Nearly all tiles: nothing to ask, and addresses go on in equal steps.
            const float* from_a = a + (top + lane / DEPTH) * k + start + lane % DEPTH;
            for (unsigned int r = 0; r < BLOCK; r += items / DEPTH) {
                tile_a[lane % DEPTH][lane / DEPTH + r] = *from_a;
                from_a += items / DEPTH * k;
            }
            const float* from_b = b + (start + lane / BLOCK) * n + left + lane % BLOCK;
            for (unsigned int r = 0; r < DEPTH; r += items / BLOCK) {
                tile_b[lane / BLOCK + r][lane % BLOCK] = *from_b;
                from_b += items / BLOCK * n;
            }
        } else {
            for (unsigned int t = lane; t < BLOCK * DEPTH; t += items) {
                const size_t row = top + t / DEPTH;
                const size_t depth = start + t % DEPTH;
                tile_a[t % DEPTH][t / DEPTH] = row < m && depth < k ? a[row * k + depth] : 0;
            }
            for (unsigned int t = lane; t < BLOCK * DEPTH; t += items) {
                const size_t column = left + t % BLOCK;
                const size_t depth = start + t / BLOCK;
                tile_b[t / BLOCK][t % BLOCK] = depth < k && column < n ? b[depth * n + column] : 0;
            }
        }
        __syncthreads();
#pragma unroll
        for (unsigned int d = 0; d < DEPTH; ++d) {
            float from_a[EACH];
            float from_b[EACH];
            for (unsigned int i = 0; i < EACH; ++i) from_a[i] = tile_a[d][place(y, i, side)];
            for (unsigned int j = 0; j < EACH; ++j) from_b[j] = tile_b[d][place(x, j, side)];
            for (unsigned int i = 0; i < EACH; ++i) {
                for (unsigned int j = 0; j < EACH; ++j) sums[i][j] = fma(from_a[i], from_b[j], sums[i][j]);
            }
        }
        __syncthreads();
    }
    for (unsigned int i = 0; i < EACH; ++i) {
        const size_t row = top + place(y, i, side);
        for (unsigned int j = 0; j < EACH; ++j) {
            const size_t column = left + place(x, j, side);
            if (row < m && column < n) c[row * n + column] = sums[i][j];
        }
    }
}
