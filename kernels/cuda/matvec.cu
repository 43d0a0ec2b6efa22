// Generated from kernels/matvec.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "matvec.cl"
// y = matrix * x for a matrix of height x width elements, row after row. Products and sums are rounded
// one by one: whole numbers have no fused multiply-add.

// One row an item: neighbouring items read words that are a whole row apart.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void row_per_item(const float* matrix, const float* x, float* y,
                           const unsigned long long width, const unsigned long long height) {
    const size_t row = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (row < height) {
        float sum = 0;
        for (size_t i = 0; i < width; ++i) sum += matrix[row * width + i] * x[i];
        y[row] = sum;
    }
}

// The same with as many items as one likes: each takes rows in steps of the whole launch.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void rows_strided(const float* matrix, const float* x, float* y,
                           const unsigned long long width, const unsigned long long height) {
    for (size_t row = (size_t(blockIdx.x) * blockDim.x + threadIdx.x); row < height; row += (size_t(gridDim.x) * blockDim.x)) {
        float sum = 0;
        for (size_t i = 0; i < width; ++i) sum += matrix[row * width + i] * x[i];
        y[row] = sum;
    }
}

// What an item of a group adds up of its row: neighbouring items read neighbouring words.
__device__ float part_of_row(const float* row, const float* x, const unsigned long long width, const unsigned int lane) {
    float sum = 0;
    for (size_t i = lane; i < width; i += GROUP) sum += row[i] * x[i];
    return sum;
}

// One row a group at a time; the first item adds what the others found.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void group_serial(const float* matrix, const float* x, float* y,
                           const unsigned long long width, const unsigned long long height) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    for (size_t row = size_t(blockIdx.x); row < height; row += size_t(gridDim.x)) {
        part[lane] = part_of_row(matrix + row * width, x, width, lane);
        __syncthreads();
        if (lane == 0) {
            float sum = part[0];
            for (unsigned int other = 1; other < GROUP; ++other) sum += part[other];
            y[row] = sum;
        }
        __syncthreads();
    }
}

// A tree instead. Active items are neighbours; their words are 2, 4, 8, ... apart and meet in banks.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void tree_interleaved(const float* matrix, const float* x, float* y,
                               const unsigned long long width, const unsigned long long height) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    for (size_t row = size_t(blockIdx.x); row < height; row += size_t(gridDim.x)) {
        part[lane] = part_of_row(matrix + row * width, x, width, lane);
        for (unsigned int stride = 1; stride < GROUP; stride *= 2) {
            const unsigned int at = 2 * stride * lane;
            __syncthreads();
            if (at + stride < GROUP) part[at] += part[at + stride];
        }
        if (lane == 0) y[row] = part[0];
        __syncthreads();
    }
}

// A tree whose active items are neighbours, and so are the words that they touch; any GROUP.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void tree_sequential(const float* matrix, const float* x, float* y,
                              const unsigned long long width, const unsigned long long height) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    for (size_t row = size_t(blockIdx.x); row < height; row += size_t(gridDim.x)) {
        part[lane] = part_of_row(matrix + row * width, x, width, lane);
        for (unsigned int count = GROUP; count > 1; count = (count + 1) / 2) {
            const unsigned int upper = (count + 1) / 2;
            __syncthreads();
            if (lane + upper < count) part[lane] += part[lane + upper];
        }
        if (lane == 0) y[row] = part[0];
        __syncthreads();
    }
}

// ROWS rows at once for a team of TEAM items, several teams a group: an element of x is loaded once for
// ROWS products, four elements at a time where all rows are aligned, and a short tree ends it.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void modern(const float* matrix, const float* x, float* y,
                     const unsigned long long width, const unsigned long long height) {
    __shared__ __align__(ALIGN) float part[ROWS][GROUP];
    const unsigned int item = size_t(threadIdx.x);
    const unsigned int lane = item % TEAM;
    const size_t first = (size_t(blockIdx.x) * (GROUP / TEAM) + item / TEAM) * ROWS;
    // Behind the last row it is read again, and not stored.
    size_t start[ROWS];
    for (unsigned int r = 0; r < ROWS; ++r) {
        start[r] = (first + r < height ? first + r : height - 1) * width;
    }
    if (width % 4 == 0) {
        const float4* x4 = (const float4*)x;
        float4 sums[ROWS];
        for (unsigned int r = 0; r < ROWS; ++r) sums[r] = make_float4(0, 0, 0, 0);
        for (size_t i = lane; i < width / 4; i += TEAM) {
            const float4 from_x = x4[i];
            for (unsigned int r = 0; r < ROWS; ++r) {
                const float4 next = ((const float4*)(matrix + start[r]))[i];
                sums[r].x += next.x * from_x.x;
                sums[r].y += next.y * from_x.y;
                sums[r].z += next.z * from_x.z;
                sums[r].w += next.w * from_x.w;
            }
        }
        for (unsigned int r = 0; r < ROWS; ++r) {
            part[r][item] = (sums[r].x + sums[r].y) + (sums[r].z + sums[r].w);
        }
    } else {
        float sums[ROWS];
        for (unsigned int r = 0; r < ROWS; ++r) sums[r] = 0;
        for (size_t i = lane; i < width; i += TEAM) {
            const float from_x = x[i];
            for (unsigned int r = 0; r < ROWS; ++r) sums[r] += matrix[start[r] + i] * from_x;
        }
        for (unsigned int r = 0; r < ROWS; ++r) part[r][item] = sums[r];
    }
    for (unsigned int count = TEAM; count > 1; count = (count + 1) / 2) {
        const unsigned int upper = (count + 1) / 2;
        __syncthreads();
        if (lane + upper < count) {
            for (unsigned int r = 0; r < ROWS; ++r) part[r][item] += part[r][item + upper];
        }
    }
    if (lane == 0) {
        for (unsigned int r = 0; r < ROWS; ++r) {
            if (first + r < height) y[first + r] = part[r][item];
        }
    }
}
