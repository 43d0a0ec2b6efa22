// out[x][y] = in[y][x], for a matrix of `height` rows of `width`, row after row.
//
// A group of TILE x ROWS items (pieces: TILE x 8) covers a tile of TILE x TILE elements.

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

// Four elements a load and a store, where rows and columns are whole fours: an item turns blocks of 4 x 4 in
// registers, and local memory turns the blocks. TILE is a power of two.
__kernel void wide(__global const T* in, __global T* out, const ulong width, const ulong height) {
    __local T4 tile[TILE][TILE / 4];
    const uint item = get_local_id(1) * TILE + get_local_id(0);
    const size_t left = get_group_id(0) * TILE;
    const size_t top = get_group_id(1) * TILE;
    for (uint k = item; k < TILE * TILE / 16; k += TILE * ROWS) {
        const uint x = k % (TILE / 4);
        const uint y = k / (TILE / 4);
        if (left + 4 * x < width && top + 4 * y < height) {
            __global const T4* from = (__global const T4*)(in + (top + 4 * y) * width + left) + x;
            const T4 a = from[0];
            const T4 b = from[width / 4];
            const T4 c = from[width / 2];
            const T4 d = from[width / 4 * 3];
            tile[4 * x][y ^ x] = (T4)(a.x, b.x, c.x, d.x);
            tile[4 * x + 1][y ^ x] = (T4)(a.y, b.y, c.y, d.y);
            tile[4 * x + 2][y ^ x] = (T4)(a.z, b.z, c.z, d.z);
            tile[4 * x + 3][y ^ x] = (T4)(a.w, b.w, c.w, d.w);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < TILE * TILE / 4; k += TILE * ROWS) {
        const uint x = k / (TILE / 4);
        const uint y = k % (TILE / 4);
        if (left + x < width && top + 4 * y < height) {
            ((__global T4*)(out + (left + x) * height + top))[y] = tile[x][y ^ (x / 4)];
        }
    }
}

// In which order a row of the tile below holds its columns. So the items of a warp read banks of their own
// where TILE is 32 or more.
uint turned(const uint line, const uint column) {
    return column ^ (line / 4 * (128 / TILE) % TILE);
}

// For all other sizes, where a row need not begin where a sector of memory does. A sector of which a group stores
// a part is slow: so the group stores pieces of rows that begin at multiples of 8 elements, and loads up to 8 lines
// more above the tile for it. An item loads all of its elements before it stores the first, so that they are on their
// way together. Groups count down the columns first.
__kernel void pieces(__global const T* in, __global T* out, const ulong width, const ulong height) {
    __local T tile[(TILE + 8) * TILE];
    const uint item = get_local_id(1) * TILE + get_local_id(0);
    const size_t left = get_group_id(1) * TILE;
    const size_t top = get_group_id(0) * TILE;
    T own[TILE / 8 + 1];
    if (top >= 8 && left + TILE <= width && top + TILE <= height) {
        __global const T* from = in + (top + get_local_id(1) - 8) * width + left + get_local_id(0);
#pragma unroll
        for (uint k = 0; k <= TILE / 8; ++k) own[k] = from[k * 8 * width];
    } else {
#pragma unroll
        for (uint k = 0; k <= TILE / 8; ++k) {
            const size_t x = left + get_local_id(0);
            const size_t y = top + get_local_id(1) + k * 8 - 8;
            own[k] = x < width && y < height ? in[y * width + x] : 0;
        }
    }
#pragma unroll
    for (uint k = 0; k <= TILE / 8; ++k) {
        const uint line = get_local_id(1) + k * 8;
        tile[line * TILE + turned(line, get_local_id(0))] = own[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < TILE * TILE / 4; k += TILE * 8) {
        const uint column = k / (TILE / 4);
        const size_t x = left + column;
        // Of lines 0 to 7 the piece takes as many as it begins before the tile.
        const uint line = 8 - (uint)(x * height + top) % 8 + k % (TILE / 4) * 4;
        const size_t y = top + line - 8;
        if (x < width) {
            T four[4];
            for (uint e = 0; e < 4; ++e) four[e] = tile[(line + e) * TILE + turned(line + e, column)];
            if (y < height && y + 4 <= height) {
                *(__global T4*)(out + x * height + y) = (T4)(four[0], four[1], four[2], four[3]);
            } else {
                for (uint e = 0; e < 4; ++e) {
                    if (y + e < height) out[x * height + y + e] = four[e];
                }
            }
        }
    }
}
