// Generated from kernels/smoothing.cl; `meson compile -C build cuda-sources` refreshes it.
__device__ inline uint4 operator+(uint4 a, uint4 b) {
    return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ inline uint4 operator+(uint4 a, unsigned int b) {
    return make_uint4(a.x + b, a.y + b, a.z + b, a.w + b);
}
__device__ inline uint4 operator+(unsigned int a, uint4 b) {
    return make_uint4(a + b.x, a + b.y, a + b.z, a + b.w);
}
__device__ inline uint4& operator+=(uint4& a, uint4 b) { return a = a + b; }
__device__ inline uint4& operator+=(uint4& a, unsigned int b) { return a = a + b; }
__device__ inline uint4 operator/(uint4 a, uint4 b) {
    return make_uint4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w);
}
__device__ inline uint4 operator/(uint4 a, unsigned int b) {
    return make_uint4(a.x / b, a.y / b, a.z / b, a.w / b);
}
__device__ inline uint4 operator/(unsigned int a, uint4 b) {
    return make_uint4(a / b.x, a / b.y, a / b.z, a / b.w);
}
__device__ inline unsigned int as_uint(float x) { return __float_as_uint(x); }
__device__ inline ushort4 convert_ushort4(uint4 x) {
    return make_ushort4((unsigned short)x.x, (unsigned short)x.y, (unsigned short)x.z,
        (unsigned short)x.w);
}
__device__ inline uint4 convert_uint4(ushort4 x) {
    return make_uint4((unsigned int)x.x, (unsigned int)x.y, (unsigned int)x.z, (unsigned int)x.w);
}
#line 1 "smoothing.cl"
// Smooths an image of `height` rows of `width` pixels, channel by channel: every value becomes the
// mean of itself and of those of its 8 neighbours that exist, rounded to nearest, half up.
//
// An item makes one pixel, a group GROUP_X x GROUP_Y of them. Rows and columns before the first wrap
// to numbers far behind the last, so that one comparison finds both edges.

// How many of x - 1, x and x + 1 exist.
__device__ unsigned int reach(const size_t x, const size_t extent) {
    return 1 + (x > 0 ? 1 : 0) + (x + 1 < extent ? 1 : 0);
}

// Away from the edges the divisor is a constant, which compilers make a multiplication of.
__device__ unsigned int mean(const unsigned int sum, const unsigned int count) {
    return count == 9 ? (sum + 4) / 9 : (sum + count / 2) / count;
}

__device__ uint4 mean_of_four(const uint4 sum, const unsigned int count) {
    return count == 9 ? (sum + 4u) / 9u : (sum + count / 2) / count;
}

// Pixels of CHANNELS values without gaps: with 3 channels of 2 bytes each, no load is wider than one
// value, and neighbouring items read words that are 6 bytes apart.
extern "C" __global__ void plain(const unsigned short* in, unsigned short* out, const unsigned long long width,
                    const unsigned long long height) {
    const size_t x = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t y = (size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (x >= width || y >= height) return;
    unsigned int sum[CHANNELS];
    for (unsigned int c = 0; c < CHANNELS; ++c) sum[c] = 0;
    for (unsigned int j = 0; j < 3; ++j) {
        for (unsigned int i = 0; i < 3; ++i) {
            const size_t row = y + j - 1;
            const size_t column = x + i - 1;
            if (row < height && column < width) {
                const size_t pixel = (row * width + column) * CHANNELS;
                for (unsigned int c = 0; c < CHANNELS; ++c) sum[c] += in[pixel + c];
            }
        }
    }
    const unsigned int count = reach(x, width) * reach(y, height);
    const size_t pixel = (y * width + x) * CHANNELS;
    for (unsigned int c = 0; c < CHANNELS; ++c) out[pixel + c] = (unsigned short)mean(sum[c], count);
}

// A group's pixels and a border of one around them (the halo) are read once, value after value, into
// local memory; what lies outside of the image counts as 0 there.
extern "C" __global__ void staged(const unsigned short* in, unsigned short* out, const unsigned long long width,
                     const unsigned long long height) {
    __shared__ __align__(ALIGN) unsigned short tile[GROUP_Y + 2][(GROUP_X + 2) * CHANNELS];
    const unsigned int column = size_t(threadIdx.x);
    const unsigned int row = size_t(threadIdx.y);
    const size_t left = size_t(blockIdx.x) * GROUP_X * CHANNELS;
    const size_t top = size_t(blockIdx.y) * GROUP_Y;
    const unsigned int values = (GROUP_X + 2) * CHANNELS;
    for (unsigned int i = row * GROUP_X + column; i < (GROUP_Y + 2) * values; i += GROUP_X * GROUP_Y) {
        const size_t y = top + i / values - 1;
        const size_t x = left + i % values - CHANNELS;
        tile[i / values][i % values] =
            y < height && x < width * CHANNELS ? in[y * width * CHANNELS + x] : 0;
    }
    __syncthreads();
    const size_t x = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t y = (size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (x < width && y < height) {
        const unsigned int count = reach(x, width) * reach(y, height);
        for (unsigned int c = 0; c < CHANNELS; ++c) {
            unsigned int sum = 0;
            for (unsigned int j = 0; j < 3; ++j) {
                for (unsigned int i = 0; i < 3; ++i) sum += tile[row + j][(column + i) * CHANNELS + c];
            }
            out[(y * width + x) * CHANNELS + c] = (unsigned short)mean(sum, count);
        }
    }
}

// Pixels of 4 values: one load of 8 bytes each. Channels that the image has not got hold 0, and so
// does what they become. A row begins `stride` pixels behind the one before; what lies between the
// last pixel of a row and the next row becomes 0.
extern "C" __global__ void padded(const ushort4* in, ushort4* out, const unsigned long long width,
                     const unsigned long long height, const unsigned long long stride) {
    const size_t x = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t y = (size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (x >= stride || y >= height) return;
    uint4 sum = make_uint4(0, 0, 0, 0);
    unsigned int count = 1;
    if (x < width) {
        for (unsigned int j = 0; j < 3; ++j) {
            for (unsigned int i = 0; i < 3; ++i) {
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
extern "C" __global__ void padded_staged(const ushort4* in, ushort4* out, const unsigned long long width,
                            const unsigned long long height, const unsigned long long stride) {
    __shared__ __align__(ALIGN) ushort4 tile[GROUP_Y + 2][GROUP_X + 2];
    const unsigned int column = size_t(threadIdx.x);
    const unsigned int row = size_t(threadIdx.y);
    const size_t left = size_t(blockIdx.x) * GROUP_X;
    const size_t top = size_t(blockIdx.y) * GROUP_Y;
    for (unsigned int i = row * GROUP_X + column; i < (GROUP_Y + 2) * (GROUP_X + 2);
         i += GROUP_X * GROUP_Y) {
        const size_t y = top + i / (GROUP_X + 2) - 1;
        const size_t x = left + i % (GROUP_X + 2) - 1;
        tile[i / (GROUP_X + 2)][i % (GROUP_X + 2)] =
            y < height && x < width ? in[y * stride + x] : make_ushort4(0, 0, 0, 0);
    }
    __syncthreads();
    const size_t x = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t y = (size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (x < stride && y < height) {
        uint4 sum = make_uint4(0, 0, 0, 0);
        unsigned int count = 1;
        if (x < width) {
            for (unsigned int j = 0; j < 3; ++j) {
                for (unsigned int i = 0; i < 3; ++i) sum += convert_uint4(tile[row + j][column + i]);
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
__device__ void values_of(const uint4* word, float* value) {
    const uint2 left = ((const uint2*)word)[-1];
    const uint4 own = word[0];
    const uint2 right = ((const uint2*)word)[2];
    unsigned int two[8];
    two[0] = left.x;
    two[1] = left.y;
    two[2] = own.x;
    two[3] = own.y;
    two[4] = own.z;
    two[5] = own.w;
    two[6] = right.x;
    two[7] = right.y;
#pragma unroll
    for (unsigned int v = 0; v < 8 + 2 * CHANNELS; ++v) {
        const unsigned int at = 4 - CHANNELS + v;
        value[v] = ((float)(at % 2 == 0 ? two[at / 2] & 0xffff : two[at / 2] >> 16));
    }
}

// The whole number nearest to a ninth, in the lower 16 bits: from 2^23 on floats are whole numbers, and their
// bits count them. No ninth of a whole number lies halfway between two.
__device__ unsigned int ninth(const float sum) {
    return as_uint(fma(sum, 1.0f / 9, 8388608.0f));
}

extern "C" __global__ __launch_bounds__((GROUP_X) * (GROUP_Y) * (1)) void wide(
    const unsigned short* __restrict__ in, unsigned short* __restrict__ out, const unsigned long long width, const unsigned long long height) {
    const size_t values = width * CHANNELS;
    const size_t first = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) * 8;
    const size_t top = (size_t(blockIdx.y) * blockDim.y + threadIdx.y) * STRIP;
    if (first >= values || top >= height) return;
    // Rows must be whole words, and all neighbours there.
    const bool inside = values % 8 == 0 && first > 0 && first + 8 < values;
    if (inside) {
        const uint4* from = (const uint4*)(in + first);
        uint4* to = (uint4*)(out + first);
        const size_t words = values / 8;
        float value[STRIP + 2][8 + 2 * CHANNELS];
#pragma unroll
        for (unsigned int r = 0; r < STRIP + 2; ++r) {
            const size_t y = top + r;
            // Before the first row and behind the last one these are loaded again, for nothing.
            values_of(from + (y == 0 ? 0 : y > height ? height - 1 : y - 1) * words, value[r]);
        }
#pragma unroll
        for (unsigned int r = 0; r < STRIP; ++r) {
            const size_t y = top + r;
            float sum[8 + 2 * CHANNELS];
            for (unsigned int v = 0; v < 8 + 2 * CHANNELS; ++v) {
                sum[v] = value[r][v] + value[r + 1][v] + value[r + 2][v];
            }
            unsigned int two[4];
            for (unsigned int v = 0; v < 8; v += 2) {
                const float low = sum[v] + sum[v + CHANNELS] + sum[v + 2 * CHANNELS];
                const float high = sum[v + 1] + sum[v + 1 + CHANNELS] + sum[v + 1 + 2 * CHANNELS];
                two[v / 2] = (ninth(low) & 0xffff) | ninth(high) << 16;
            }
            if (y > 0 && y + 1 < height) to[y * words] = make_uint4(two[0], two[1], two[2], two[3]);
        }
    }
    // The edges, and all of an image whose rows are no whole words.
    for (size_t y = top; y < top + STRIP && y < height; ++y) {
        if (inside && y > 0 && y + 1 < height) continue;
        for (size_t at = first; at < first + 8 && at < values; ++at) {
            unsigned int sum = 0;
            for (unsigned int j = 0; j < 3; ++j) {
                for (unsigned int i = 0; i < 3; ++i) {
                    const size_t row = y + j - 1;
                    const size_t value = at + i * CHANNELS - CHANNELS;
                    if (row < height && value < values) sum += in[row * values + value];
                }
            }
            out[y * values + at] =
                (unsigned short)mean(sum, reach(at / CHANNELS, width) * reach(y, height));
        }
    }
}
