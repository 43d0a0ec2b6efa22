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
