// Generated from kernels/transpose.cl for T = float; `meson compile cuda-texts` refreshes it.
#line 1 "transpose.cl"
// out[x][y] = in[y][x], for a matrix of `height` rows of `width`, row after row.
//
// A group of TILE x ROWS items covers a tile of TILE x TILE elements, TILE / ROWS each.

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

// The same without spare columns: a row's columns change places with each other, in another order in each
// row, so that a column lies in all banks. TILE is a power of two.
extern "C" __global__ void swizzled(const float* in, float* out, const unsigned long long width, const unsigned long long height) {
    __shared__ __align__(ALIGN) float tile[TILE][TILE];
    const unsigned int column = size_t(threadIdx.x);
    const unsigned int row = size_t(threadIdx.y);
    const size_t left = size_t(blockIdx.x) * TILE;
    const size_t top = size_t(blockIdx.y) * TILE;
    const bool inside = left + TILE <= width && top + TILE <= height;
    for (unsigned int k = 0; k < TILE; k += ROWS) {
        const size_t y = top + row + k;
        if (inside || (left + column < width && y < height)) {
            tile[row + k][column ^ (row + k)] = in[y * width + left + column];
        }
    }
    __syncthreads();
    for (unsigned int k = 0; k < TILE; k += ROWS) {
        const size_t x = left + row + k;
        if (inside || (top + column < height && x < width)) {
            out[x * height + top + column] = tile[column][(row + k) ^ column];
        }
    }
}

// Four elements a load and a store: an item turns 4 x 4 of them in registers, and local memory turns the
// blocks. Where rows are no multiple of four long, it is the kernel above.
extern "C" __global__ void wide(const float* in, float* out, const unsigned long long width, const unsigned long long height) {
    __shared__ float4 tile[TILE][TILE / 4];
    const unsigned int column = size_t(threadIdx.x);
    const unsigned int row = size_t(threadIdx.y);
    const size_t left = size_t(blockIdx.x) * TILE;
    const size_t top = size_t(blockIdx.y) * TILE;
    if (width % 4 == 0 && height % 4 == 0) {
        for (unsigned int k = row * TILE + column; k < TILE * TILE / 16; k += TILE * ROWS) {
            const unsigned int x = k % (TILE / 4);
            const unsigned int y = k / (TILE / 4);
            if (left + 4 * x < width && top + 4 * y < height) {
                const float4* from = (const float4*)(in + (top + 4 * y) * width + left) + x;
                const float4 a = from[0];
                const float4 b = from[width / 4];
                const float4 c = from[width / 2];
                const float4 d = from[width / 4 * 3];
                tile[4 * x + 0][y ^ x] = make_float4(a.x, b.x, c.x, d.x);
                tile[4 * x + 1][y ^ x] = make_float4(a.y, b.y, c.y, d.y);
                tile[4 * x + 2][y ^ x] = make_float4(a.z, b.z, c.z, d.z);
                tile[4 * x + 3][y ^ x] = make_float4(a.w, b.w, c.w, d.w);
            }
        }
        __syncthreads();
        for (unsigned int k = row * TILE + column; k < TILE * TILE / 4; k += TILE * ROWS) {
            const unsigned int x = k / (TILE / 4);
            const unsigned int y = k % (TILE / 4);
            if (left + x < width && top + 4 * y < height) {
                ((float4*)(out + (left + x) * height + top))[y] = tile[x][y ^ (x / 4)];
            }
        }
    } else {
        float* one = (float*)tile;
        const bool inside = left + TILE <= width && top + TILE <= height;
        for (unsigned int k = 0; k < TILE; k += ROWS) {
            const size_t y = top + row + k;
            if (inside || (left + column < width && y < height)) {
                one[(row + k) * TILE + (column ^ (row + k))] = in[y * width + left + column];
            }
        }
        __syncthreads();
        for (unsigned int k = 0; k < TILE; k += ROWS) {
            const size_t x = left + row + k;
            if (inside || (top + column < height && x < width)) {
                out[x * height + top + column] = one[column * TILE + ((row + k) ^ column)];
            }
        }
    }
}
