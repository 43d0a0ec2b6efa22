// Generated from kernels/images.cl; `meson compile -C build cuda-sources` refreshes it.
__device__ inline float4 read_imagef(cudaTextureObject_t image, int2 at) {
    return tex2D<float4>(image, at.x, at.y);
}
__device__ inline float4 read_imagef(cudaTextureObject_t image, int at) {
    return tex1Dfetch<float4>(image, at);
}
#line 1 "images.cl"
// Sums of 3 x 3 neighbourhoods, from a buffer and from an image of the same numbers. Which texel an
// item is at is what differs: neighbouring items along a row, along a column, within a square tile,
// or each somewhere near its own place. Coordinates are held within the image by the kernels.

// The nearest place of an image that has `end` of them.
__device__ int held(const int at, const int end) { return at < 0 ? 0 : at < end ? at : end - 1; }

__device__ float sum_in_buffer(const float* in, const int x, const int y, const int width,
                    const int height) {
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            sum += in[(size_t)held(y + dy, height) * width + held(x + dx, width)];
        }
    }
    return sum;
}

__device__ float sum_in_image(cudaTextureObject_t in, const int x, const int y, const int width,
                   const int height) {
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            sum += read_imagef(in, make_int2(held(x + dx, width), held(y + dy, height))).x;
        }
    }
    return sum;
}

// A number that looks random, the same for the same item.
__device__ unsigned int mixed(const unsigned int x, const unsigned int y) {
    const unsigned int sum = x * 2654435761u + y * 2246822519u;
    return (sum ^ (sum >> 15)) * 2654435761u;
}

// How far an item goes from its own place by such a number's lowest bits: -8 to 7.
__device__ int scatter(const unsigned int bits) { return (int)(bits & 15u) - 8; }

// Every second bit, from the lowest on: 8 of them make 4.
__device__ unsigned int every_second(const unsigned int bits) {
    return (bits & 1u) | ((bits >> 1) & 2u) | ((bits >> 2) & 4u) | ((bits >> 3) & 8u);
}

// Neighbouring items are neighbours of a row.
extern "C" __global__ void buffer_rows(const float* in, float* out, const int width,
                          const int height) {
    const int x = (int)(size_t(blockIdx.x) * blockDim.x + threadIdx.x), y = (int)(size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (x < width && y < height) {
        out[(size_t)y * width + x] = sum_in_buffer(in, x, y, width, height);
    }
}

extern "C" __global__ void image_rows(cudaTextureObject_t in, float* out, const int width,
                         const int height) {
    const int x = (int)(size_t(blockIdx.x) * blockDim.x + threadIdx.x), y = (int)(size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (x < width && y < height) {
        out[(size_t)y * width + x] = sum_in_image(in, x, y, width, height);
    }
}

// Neighbouring items are neighbours of a column; what they write lies side by side all the same.
extern "C" __global__ void buffer_columns(const float* in, float* out, const int width,
                             const int height) {
    const int x = (int)(size_t(blockIdx.y) * blockDim.y + threadIdx.y), y = (int)(size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (x < width && y < height) {
        out[(size_t)x * height + y] = sum_in_buffer(in, x, y, width, height);
    }
}

extern "C" __global__ void image_columns(cudaTextureObject_t in, float* out, const int width,
                            const int height) {
    const int x = (int)(size_t(blockIdx.y) * blockDim.y + threadIdx.y), y = (int)(size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (x < width && y < height) {
        out[(size_t)x * height + y] = sum_in_image(in, x, y, width, height);
    }
}

// A group of 256 is a square of 16 x 16, its items in Z-order: 4 of them a square of 2 x 2, 16 one of
// 4 x 4. Places beyond the image give 0.
extern "C" __global__ void buffer_tiles(const float* in, float* out, const int width,
                           const int height) {
    const unsigned int item = (unsigned int)size_t(threadIdx.x);
    const int x = (int)(size_t(blockIdx.x) * 16u + every_second(item));
    const int y = (int)(size_t(blockIdx.y) * 16u + every_second(item >> 1));
    const bool inside = x < width && y < height;
    out[(size_t(blockIdx.y) * size_t(gridDim.x) + size_t(blockIdx.x)) * 256u + item] =
        inside ? sum_in_buffer(in, x, y, width, height) : 0.0f;
}

extern "C" __global__ void image_tiles(cudaTextureObject_t in, float* out, const int width,
                          const int height) {
    const unsigned int item = (unsigned int)size_t(threadIdx.x);
    const int x = (int)(size_t(blockIdx.x) * 16u + every_second(item));
    const int y = (int)(size_t(blockIdx.y) * 16u + every_second(item >> 1));
    const bool inside = x < width && y < height;
    out[(size_t(blockIdx.y) * size_t(gridDim.x) + size_t(blockIdx.x)) * 256u + item] =
        inside ? sum_in_image(in, x, y, width, height) : 0.0f;
}

// Each item is somewhere within 16 x 16 places around its own.
extern "C" __global__ void buffer_scattered(const float* in, float* out, const int width,
                               const int height) {
    const int x = (int)(size_t(blockIdx.x) * blockDim.x + threadIdx.x), y = (int)(size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (x < width && y < height) {
        const int at_x = held(x + scatter(mixed(x, y) >> 20), width);
        const int at_y = held(y + scatter(mixed(x, y) >> 24), height);
        out[(size_t)y * width + x] = sum_in_buffer(in, at_x, at_y, width, height);
    }
}

extern "C" __global__ void image_scattered(cudaTextureObject_t in, float* out, const int width,
                              const int height) {
    const int x = (int)(size_t(blockIdx.x) * blockDim.x + threadIdx.x), y = (int)(size_t(blockIdx.y) * blockDim.y + threadIdx.y);
    if (x < width && y < height) {
        const int at_x = held(x + scatter(mixed(x, y) >> 20), width);
        const int at_y = held(y + scatter(mixed(x, y) >> 24), height);
        out[(size_t)y * width + x] = sum_in_image(in, at_x, at_y, width, height);
    }
}

// One dimension: 9 neighbours around a place within 256 of the item's own.
extern "C" __global__ void buffer_line(const float* in, float* out, const int count) {
    const int i = (int)(size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i >= count) return;
    const int at = i + 16 * scatter(mixed(i, 0u) >> 20) + scatter(mixed(i, 0u) >> 24);
    float sum = 0.0f;
    for (int d = -4; d <= 4; ++d) sum += in[held(at + d, count)];
    out[i] = sum;
}

extern "C" __global__ void image_line(cudaTextureObject_t in, float* out, const int count) {
    const int i = (int)(size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i >= count) return;
    const int at = i + 16 * scatter(mixed(i, 0u) >> 20) + scatter(mixed(i, 0u) >> 24);
    float sum = 0.0f;
    for (int d = -4; d <= 4; ++d) sum += read_imagef(in, held(at + d, count)).x;
    out[i] = sum;
}
