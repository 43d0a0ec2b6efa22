// out[x][y] = in[y][x], for a matrix of `height` rows of `width`, row after row.
//
// A group of TILE x ROWS items covers a tile of TILE x TILE elements, TILE / ROWS each.

// Neighbouring items read neighbouring words and write words that are `height` apart.
__kernel void naive(__global const T* in, __global T* out, const ulong width, const ulong height) {
    const size_t x = get_group_id(0) * TILE + get_local_id(0);
    const size_t y = get_group_id(1) * TILE + get_local_id(1);
    for (uint k = 0; k < TILE; k += ROWS) {
        if (x < width && y + k < height) out[x * height + y + k] = in[(y + k) * width + x];
    }
}

// The tile turns in local memory, so that both sides of the copy touch neighbouring words. With
// PAD 0 a column of the tile lies in one bank; PAD 1 spreads it over all of them.
__kernel void tiled(__global const T* in, __global T* out, const ulong width, const ulong height) {
    __local __attribute__((aligned(ALIGN))) T tile[TILE][TILE + PAD];
    const uint column = get_local_id(0);
    const uint row = get_local_id(1);
    const size_t left = get_group_id(0) * TILE;
    const size_t top = get_group_id(1) * TILE;
    for (uint k = 0; k < TILE; k += ROWS) {
        const size_t y = top + row + k;
        if (left + column < width && y < height) tile[row + k][column] = in[y * width + left + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; k += ROWS) {
        const size_t x = left + row + k;
        if (top + column < height && x < width) out[x * height + top + column] = tile[column][row + k];
    }
}
