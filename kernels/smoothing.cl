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

// Pixels without gaps again, eight values a load of 16 bytes: two in a word, the lower one first. An item
// makes eight values of STRIP rows: it loads each row once, and all of them before it adds, so that they are on
// their way together. Of its neighbours' words, which come from the cache, it loads the two nearest. Sums are
// made in float, exactly: GPUs have half as many units for integers.

// Eight values of a row, and CHANNELS more on both sides.
void values_of(__global const uint4* word, float* value) {
    const uint2 left = ((__global const uint2*)word)[-1];
    const uint4 own = word[0];
    const uint2 right = ((__global const uint2*)word)[2];
    uint two[8];
    two[0] = left.x;
    two[1] = left.y;
    two[2] = own.x;
    two[3] = own.y;
    two[4] = own.z;
    two[5] = own.w;
    two[6] = right.x;
    two[7] = right.y;
#pragma unroll
    for (uint v = 0; v < 8 + 2 * CHANNELS; ++v) {
        const uint at = 4 - CHANNELS + v;
        value[v] = convert_float(at % 2 == 0 ? two[at / 2] & 0xffff : two[at / 2] >> 16);
    }
}

// The whole number nearest to a ninth, in the lower 16 bits: from 2^23 on floats are whole numbers, and their
// bits count them. No ninth of a whole number lies halfway between two.
uint ninth(const float sum) {
    return as_uint(fma(sum, 1.0f / 9, 8388608.0f));
}

__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) void wide(
    __global const ushort* restrict in, __global ushort* restrict out, const ulong width, const ulong height) {
    const size_t values = width * CHANNELS;
    const size_t first = get_global_id(0) * 8;
    const size_t top = get_global_id(1) * STRIP;
    if (first >= values || top >= height) return;
    // Rows must be whole words, and all neighbours there.
    const bool inside = values % 8 == 0 && first > 0 && first + 8 < values;
    if (inside) {
        __global const uint4* from = (__global const uint4*)(in + first);
        __global uint4* to = (__global uint4*)(out + first);
        const size_t words = values / 8;
        float value[STRIP + 2][8 + 2 * CHANNELS];
#pragma unroll
        for (uint r = 0; r < STRIP + 2; ++r) {
            const size_t y = top + r;
            // Before the first row and behind the last one these are loaded again, for nothing.
            values_of(from + (y == 0 ? 0 : y > height ? height - 1 : y - 1) * words, value[r]);
        }
#pragma unroll
        for (uint r = 0; r < STRIP; ++r) {
            const size_t y = top + r;
            float sum[8 + 2 * CHANNELS];
            for (uint v = 0; v < 8 + 2 * CHANNELS; ++v) {
                sum[v] = value[r][v] + value[r + 1][v] + value[r + 2][v];
            }
            uint two[4];
            for (uint v = 0; v < 8; v += 2) {
                const float low = sum[v] + sum[v + CHANNELS] + sum[v + 2 * CHANNELS];
                const float high = sum[v + 1] + sum[v + 1 + CHANNELS] + sum[v + 1 + 2 * CHANNELS];
                two[v / 2] = (ninth(low) & 0xffff) | ninth(high) << 16;
            }
            if (y > 0 && y + 1 < height) to[y * words] = (uint4)(two[0], two[1], two[2], two[3]);
        }
    }
    // The edges, and all of an image whose rows are no whole words.
    for (size_t y = top; y < top + STRIP && y < height; ++y) {
        if (inside && y > 0 && y + 1 < height) continue;
        for (size_t at = first; at < first + 8 && at < values; ++at) {
            uint sum = 0;
            for (uint j = 0; j < 3; ++j) {
                for (uint i = 0; i < 3; ++i) {
                    const size_t row = y + j - 1;
                    const size_t value = at + i * CHANNELS - CHANNELS;
                    if (row < height && value < values) sum += in[row * values + value];
                }
            }
            out[y * values + at] =
                (ushort)mean(sum, reach(at / CHANNELS, width) * reach(y, height));
        }
    }
}
