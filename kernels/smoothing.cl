// Smooths an image of `height` rows of `width` pixels, channel by channel: every value becomes the
// mean of itself and of those of its 8 neighbours that exist, rounded to nearest, half up.
//
// An item makes one pixel, a group GROUP_X x GROUP_Y of them. Rows and columns before the first wrap
// to numbers far behind the last, so that one comparison finds both edges.

// How many of x - 1, x and x + 1 exist.
uint reach(const size_t x, const size_t extent) {
    return 1 + (x > 0 ? 1 : 0) + (x + 1 < extent ? 1 : 0);
}

// Away from the edges the divisor is a constant, which compilers make a multiplication of.
uint mean(const uint sum, const uint count) {
    return count == 9 ? (sum + 4) / 9 : (sum + count / 2) / count;
}

uint4 mean_of_four(const uint4 sum, const uint count) {
    return count == 9 ? (sum + 4u) / 9u : (sum + count / 2) / count;
}

// Pixels of CHANNELS values without gaps: with 3 channels of 2 bytes each, no load is wider than one
// value, and neighbouring items read words that are 6 bytes apart.
__kernel void plain(__global const ushort* in, __global ushort* out, const ulong width,
                    const ulong height) {
    const size_t x = get_global_id(0);
    const size_t y = get_global_id(1);
    if (x >= width || y >= height) return;
    uint sum[CHANNELS];
    for (uint c = 0; c < CHANNELS; ++c) sum[c] = 0;
    for (uint j = 0; j < 3; ++j) {
        for (uint i = 0; i < 3; ++i) {
            const size_t row = y + j - 1;
            const size_t column = x + i - 1;
            if (row < height && column < width) {
                const size_t pixel = (row * width + column) * CHANNELS;
                for (uint c = 0; c < CHANNELS; ++c) sum[c] += in[pixel + c];
            }
        }
    }
    const uint count = reach(x, width) * reach(y, height);
    const size_t pixel = (y * width + x) * CHANNELS;
    for (uint c = 0; c < CHANNELS; ++c) out[pixel + c] = (ushort)mean(sum[c], count);
}

// A group's pixels and a border of one around them (the halo) are read once, value after value, into
// local memory; what lies outside of the image counts as 0 there.
__kernel void staged(__global const ushort* in, __global ushort* out, const ulong width,
                     const ulong height) {
    __local __attribute__((aligned(ALIGN))) ushort tile[GROUP_Y + 2][(GROUP_X + 2) * CHANNELS];
    const uint column = get_local_id(0);
    const uint row = get_local_id(1);
    const size_t left = get_group_id(0) * GROUP_X * CHANNELS;
    const size_t top = get_group_id(1) * GROUP_Y;
    const uint values = (GROUP_X + 2) * CHANNELS;
    for (uint i = row * GROUP_X + column; i < (GROUP_Y + 2) * values; i += GROUP_X * GROUP_Y) {
        const size_t y = top + i / values - 1;
        const size_t x = left + i % values - CHANNELS;
        tile[i / values][i % values] =
            y < height && x < width * CHANNELS ? in[y * width * CHANNELS + x] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t x = get_global_id(0);
    const size_t y = get_global_id(1);
    if (x < width && y < height) {
        const uint count = reach(x, width) * reach(y, height);
        for (uint c = 0; c < CHANNELS; ++c) {
            uint sum = 0;
            for (uint j = 0; j < 3; ++j) {
                for (uint i = 0; i < 3; ++i) sum += tile[row + j][(column + i) * CHANNELS + c];
            }
            out[(y * width + x) * CHANNELS + c] = (ushort)mean(sum, count);
        }
    }
}

// Pixels of 4 values: one load of 8 bytes each. Channels that the image has not got hold 0, and so
// does what they become. A row begins `stride` pixels behind the one before; what lies between the
// last pixel of a row and the next row becomes 0.
__kernel void padded(__global const ushort4* in, __global ushort4* out, const ulong width,
                     const ulong height, const ulong stride) {
    const size_t x = get_global_id(0);
    const size_t y = get_global_id(1);
    if (x >= stride || y >= height) return;
    uint4 sum = (uint4)(0, 0, 0, 0);
    uint count = 1;
    if (x < width) {
        for (uint j = 0; j < 3; ++j) {
            for (uint i = 0; i < 3; ++i) {
                const size_t row = y + j - 1;
                const size_t column = x + i - 1;
                if (row < height && column < width) sum += convert_uint4(in[row * stride + column]);
            }
        }
        count = reach(x, width) * reach(y, height);
    }
    out[y * stride + x] = convert_ushort4(mean_of_four(sum, count));
}

// Both: local memory holds pixels of 4 values.
__kernel void padded_staged(__global const ushort4* in, __global ushort4* out, const ulong width,
                            const ulong height, const ulong stride) {
    __local __attribute__((aligned(ALIGN))) ushort4 tile[GROUP_Y + 2][GROUP_X + 2];
    const uint column = get_local_id(0);
    const uint row = get_local_id(1);
    const size_t left = get_group_id(0) * GROUP_X;
    const size_t top = get_group_id(1) * GROUP_Y;
    for (uint i = row * GROUP_X + column; i < (GROUP_Y + 2) * (GROUP_X + 2);
         i += GROUP_X * GROUP_Y) {
        const size_t y = top + i / (GROUP_X + 2) - 1;
        const size_t x = left + i % (GROUP_X + 2) - 1;
        tile[i / (GROUP_X + 2)][i % (GROUP_X + 2)] =
            y < height && x < width ? in[y * stride + x] : (ushort4)(0, 0, 0, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t x = get_global_id(0);
    const size_t y = get_global_id(1);
    if (x < stride && y < height) {
        uint4 sum = (uint4)(0, 0, 0, 0);
        uint count = 1;
        if (x < width) {
            for (uint j = 0; j < 3; ++j) {
                for (uint i = 0; i < 3; ++i) sum += convert_uint4(tile[row + j][column + i]);
            }
            count = reach(x, width) * reach(y, height);
        }
        out[y * stride + x] = convert_ushort4(mean_of_four(sum, count));
    }
}
