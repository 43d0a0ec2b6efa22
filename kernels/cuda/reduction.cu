// Generated from kernels/reduction.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "reduction.cl"
// One value from many: their sum (OP 0), minimum (OP 1) or maximum (OP 2).
//
// Every kernel leaves one partial result a work-group; the host launches it again on those until
// one is left. `neutral` is what leaves the other operand as it is. Minimum and maximum pass over a
// NaN, and of nothing but NaN are `neutral`; the sum does not.

__device__ float combine(const float a, const float b) {
    if (OP == 0) return a + b;
    if (OP == 1) return (b < a || a != a) ? b : a;
    return (b > a || a != a) ? b : a;
}

// A tree over a group's GROUP values whose active items stay side by side; any GROUP.
__device__ void reduce_group(float* part, const unsigned int lane) {
    for (unsigned int count = GROUP; count > 1; count = (count + 1) / 2) {
        const unsigned int upper = (count + 1) / 2;
        __syncthreads();
        if (lane + upper < count) part[lane] = combine(part[lane], part[lane + upper]);
    }
}

// Active items are neighbours; their words are 2, 4, 8, ... apart and meet in banks of local memory.
extern "C" __global__ void interleaved(const float* in, float* out, const unsigned long long n, const float neutral) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    part[lane] = i < n ? combine(neutral, in[i]) : neutral;
    for (unsigned int stride = 1; stride < GROUP; stride *= 2) {
        const unsigned int at = 2 * stride * lane;
        __syncthreads();
        if (at + stride < GROUP) part[at] = combine(part[at], part[at + stride]);
    }
    if (lane == 0) out[size_t(blockIdx.x)] = part[0];
}

// Active items are neighbours, and so are the words that they touch.
extern "C" __global__ void sequential(const float* in, float* out, const unsigned long long n, const float neutral) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    part[lane] = i < n ? combine(neutral, in[i]) : neutral;
    reduce_group(part, lane);
    if (lane == 0) out[size_t(blockIdx.x)] = part[0];
}

// Half of the items had nothing to do in the first step: here each one starts by combining two.
extern "C" __global__ void first_add(const float* in, float* out, const unsigned long long n, const float neutral) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t i = size_t(blockIdx.x) * (2 * GROUP) + lane;
    const float first = i < n ? combine(neutral, in[i]) : neutral;
    const float second = i + GROUP < n ? in[i + GROUP] : neutral;
    part[lane] = combine(first, second);
    reduce_group(part, lane);
    if (lane == 0) out[size_t(blockIdx.x)] = part[0];
}

// ITEMS values an item, so that the tree is a small part of the work.
extern "C" __global__ void items(const float* in, float* out, const unsigned long long n, const float neutral) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t start = size_t(blockIdx.x) * (GROUP * ITEMS) + lane;
    float value = neutral;
    if (start - lane + GROUP * ITEMS <= n) {
        for (unsigned int k = 0; k < ITEMS; ++k) value = combine(value, in[start + k * GROUP]);
    } else {
        for (size_t i = start; i < n; i += GROUP) value = combine(value, in[i]);
    }
    part[lane] = value;
    reduce_group(part, lane);
    if (lane == 0) out[size_t(blockIdx.x)] = part[0];
}

// The same number of values, four to a load; the last group takes what four do not divide.
extern "C" __global__ void vector(const float* in, float* out, const unsigned long long n, const float neutral) {
    __shared__ __align__(ALIGN) float part[GROUP];
    const float4* in4 = (const float4*)in;
    const unsigned int lane = size_t(threadIdx.x);
    const size_t whole = n / 4;
    const size_t start = size_t(blockIdx.x) * (GROUP * ITEMS / 4) + lane;
    float4 value = make_float4(neutral, neutral, neutral, neutral);
    if (start - lane + GROUP * ITEMS / 4 <= whole) {
        for (unsigned int k = 0; k < ITEMS / 4; ++k) {
            const float4 next = in4[start + k * GROUP];
            value.x = combine(value.x, next.x);
            value.y = combine(value.y, next.y);
            value.z = combine(value.z, next.z);
            value.w = combine(value.w, next.w);
        }
    } else {
        for (size_t i = start; i < whole; i += GROUP) {
            const float4 next = in4[i];
            value.x = combine(value.x, next.x);
            value.y = combine(value.y, next.y);
            value.z = combine(value.z, next.z);
            value.w = combine(value.w, next.w);
        }
    }
    if (size_t(blockIdx.x) == size_t(gridDim.x) - 1) {
        for (size_t i = 4 * whole + lane; i < n; i += GROUP) value.x = combine(value.x, in[i]);
    }
    part[lane] = combine(combine(value.x, value.y), combine(value.z, value.w));
    reduce_group(part, lane);
    if (lane == 0) out[size_t(blockIdx.x)] = part[0];
}
