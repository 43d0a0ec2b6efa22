// Generated from kernels/transpose.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "transpose.cl"
// out[x][y] = in[y][x], for a matrix of `height` rows of `width`, row after row.
//
// A group of TILE x ROWS items (pieces: TILE x 8) covers a tile of TILE x TILE elements.

// Neighbouring items read neighbouring words and write words that are `height` apart.
extern "C" __global__ void naive(const float* in, float* out, const unsigned long long width, const unsigned long long height) {
    const size_t x = size_t(blockIdx.x) * TILE + size_t(threadIdx.x);
    const size_t y = size_t(blockIdx.y) * TILE + size_t(threadIdx.y);
    for (unsigned int k = 0; k < TILE; k += ROWS) {
        if (x < width && y + k < height) out[x * height + y + k] = in[(y + k) * width + x];
    }
}

// The tile turns in local memory, so that both sides of the copy touch neighbouring words. With
// PAD 0 a column of the tile lies in one bank; PAD 1 spreads it over all of them.
extern "C" __global__ void tiled(const float* in, float* out, const unsigned long long width, const unsigned long long height) {
    __shared__ __align__(ALIGN) float tile[TILE][TILE + PAD];
    const unsigned int column = size_t(threadIdx.x);
    const unsigned int row = size_t(threadIdx.y);
    const size_t left = size_t(blockIdx.x) * TILE;
    const size_t top = size_t(blockIdx.y) * TILE;
    for (unsigned int k = 0; k < TILE; k += ROWS) {
        const size_t y = top + row + k;
        if (left + column < width && y < height) tile[row + k][column] = in[y * width + left + column];
    }
    __syncthreads();
    for (unsigned int k = 0; k < TILE; k += ROWS) {
        const size_t x = left + row + k;
        if (top + column < height && x < width) out[x * height + top + column] = tile[column][row + k];
    }
}

// Four elements a load and a store, where rows and columns are whole fours: an item turns blocks of 4 x 4 in
// registers, and local memory turns the blocks. TILE is a power of two.
extern "C" __global__ void wide(const float* in, float* out, const unsigned long long width, const unsigned long long height) {
    __shared__ float4 tile[TILE][TILE / 4];
    const unsigned int item = size_t(threadIdx.y) * TILE + size_t(threadIdx.x);
    const size_t left = size_t(blockIdx.x) * TILE;
    const size_t top = size_t(blockIdx.y) * TILE;
    for (unsigned int k = item; k < TILE * TILE / 16; k += TILE * ROWS) {
        const unsigned int x = k % (TILE / 4);
        const unsigned int y = k / (TILE / 4);
        if (left + 4 * x < width && top + 4 * y < height) {
            const float4* from = (const float4*)(in + (top + 4 * y) * width + left) + x;
            const float4 a = from[0];
            const float4 b = from[width / 4];
            const float4 c = from[width / 2];
            const float4 d = from[width / 4 * 3];
            tile[4 * x][y ^ x] = make_float4(a.x, b.x, c.x, d.x);
            tile[4 * x + 1][y ^ x] = make_float4(a.y, b.y, c.y, d.y);
            tile[4 * x + 2][y ^ x] = make_float4(a.z, b.z, c.z, d.z);
            tile[4 * x + 3][y ^ x] = make_float4(a.w, b.w, c.w, d.w);
        }
    }
    __syncthreads();
    for (unsigned int k = item; k < TILE * TILE / 4; k += TILE * ROWS) {
        const unsigned int x = k / (TILE / 4);
        const unsigned int y = k % (TILE / 4);
        if (left + x < width && top + 4 * y < height) {
            ((float4*)(out + (left + x) * height + top))[y] = tile[x][y ^ (x / 4)];
        }
    }
}

// In which order a row of the tile below holds its columns. So the items of a warp read banks of their own
// where TILE is 32 or more.
__device__ unsigned int turned(const unsigned int line, const unsigned int column) {
    return column ^ (line / 4 * (128 / TILE) % TILE);
}

// For all other sizes, where a row need not begin where a sector of memory does. A sector of which a group stores
// a part is slow: so the group stores pieces of rows that begin at multiples of 8 elements, and loads up to 8 lines
// more above the tile for it. An item loads all of its elements before it stores the first, so that they are on their
// way together. Groups count down the columns first.
extern "C" __global__ void pieces(const float* in, float* out, const unsigned long long width, const unsigned long long height) {
    __shared__ float tile[(TILE + 8) * TILE];
    const unsigned int item = size_t(threadIdx.y) * TILE + size_t(threadIdx.x);
    const size_t left = size_t(blockIdx.y) * TILE;
    const size_t top = size_t(blockIdx.x) * TILE;
    float own[TILE / 8 + 1];
    if (top >= 8 && left + TILE <= width && top + TILE <= height) {
        const float* from = in + (top + size_t(threadIdx.y) - 8) * width + left + size_t(threadIdx.x);
#pragma unroll
        for (unsigned int k = 0; k <= TILE / 8; ++k) own[k] = from[k * 8 * width];
    } else {
#pragma unroll
        for (unsigned int k = 0; k <= TILE / 8; ++k) {
            const size_t x = left + size_t(threadIdx.x);
            const size_t y = top + size_t(threadIdx.y) + k * 8 - 8;
            own[k] = x < width && y < height ? in[y * width + x] : 0;
        }
    }
#pragma unroll
    for (unsigned int k = 0; k <= TILE / 8; ++k) {
        const unsigned int line = size_t(threadIdx.y) + k * 8;
        tile[line * TILE + turned(line, size_t(threadIdx.x))] = own[k];
    }
    __syncthreads();
    for (unsigned int k = item; k < TILE * TILE / 4; k += TILE * 8) {
        const unsigned int column = k / (TILE / 4);
        const size_t x = left + column;
        // Of lines 0 to 7 the piece takes as many as it begins before the tile.
        const unsigned int line = 8 - (unsigned int)(x * height + top) % 8 + k % (TILE / 4) * 4;
        const size_t y = top + line - 8;
        if (x < width) {
            float four[4];
            for (unsigned int e = 0; e < 4; ++e) four[e] = tile[(line + e) * TILE + turned(line + e, column)];
            if (y < height && y + 4 <= height) {
                *(float4*)(out + x * height + y) = make_float4(four[0], four[1], four[2], four[3]);
            } else {
                for (unsigned int e = 0; e < 4; ++e) {
                    if (y + e < height) out[x * height + y + e] = four[e];
                }
            }
        }
    }
}
