// Generated from kernels/pitched_rows.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
__device__ inline float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ inline float4 operator+(float4 a, float b) {
    return make_float4(a.x + b, a.y + b, a.z + b, a.w + b);
}
__device__ inline float4 operator+(float a, float4 b) {
    return make_float4(a + b.x, a + b.y, a + b.z, a + b.w);
}
__device__ inline float4& operator+=(float4& a, float4 b) { return a = a + b; }
__device__ inline float4& operator+=(float4& a, float b) { return a = a + b; }
__device__ inline float4 vload4(size_t offset, const float* p) {
    p += 4 * offset;
    return make_float4(p[0], p[1], p[2], p[3]);
}
#line 1 "pitched_rows.cl"
// The sum of every row of a matrix whose rows begin `pitch` elements apart; a group takes a row.

// The items' sums become one.
__device__ void add_up(float* part, const unsigned int lane, const float own, float* out) {
    part[lane] = own;
    for (unsigned int count = GROUP; count > 1; count = (count + 1) / 2) {
        const unsigned int upper = (count + 1) / 2;
        __syncthreads();
        if (lane + upper < count) part[lane] += part[lane + upper];
    }
    if (lane == 0) *out = part[0];
}

// One element a load, wherever the row begins.
extern "C" __global__ void single(const float* in, float* out, const unsigned long long width, const unsigned long long pitch) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const float* row = in + size_t(blockIdx.x) * pitch;
    const unsigned int lane = size_t(threadIdx.x);
    float sum = 0;
    for (size_t i = lane; i < width; i += GROUP) sum += row[i];
    add_up(part, lane, sum, out + size_t(blockIdx.x));
}

// Four elements a load that asks for no alignment: the compiler must assume the worst.
extern "C" __global__ void four_anywhere(const float* in, float* out, const unsigned long long width,
                            const unsigned long long pitch) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const float* row = in + size_t(blockIdx.x) * pitch;
    const unsigned int lane = size_t(threadIdx.x);
    float4 sum = make_float4(0, 0, 0, 0);
    for (size_t i = lane; i < width / 4; i += GROUP) sum += vload4(i, row);
    float own = (sum.x + sum.y) + (sum.z + sum.w);
    for (size_t i = width / 4 * 4 + lane; i < width; i += GROUP) own += row[i];
    add_up(part, lane, own, out + size_t(blockIdx.x));
}

// Four elements a wide load, which every row must be aligned for.
extern "C" __global__ void four_aligned(const float* in, float* out, const unsigned long long width,
                           const unsigned long long pitch) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const float* row = in + size_t(blockIdx.x) * pitch;
    const float4* row4 = (const float4*)row;
    const unsigned int lane = size_t(threadIdx.x);
    float4 sum = make_float4(0, 0, 0, 0);
    for (size_t i = lane; i < width / 4; i += GROUP) sum += row4[i];
    float own = (sum.x + sum.y) + (sum.z + sum.w);
    for (size_t i = width / 4 * 4 + lane; i < width; i += GROUP) own += row[i];
    add_up(part, lane, own, out + size_t(blockIdx.x));
}
