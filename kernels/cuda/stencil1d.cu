// Generated from kernels/stencil1d.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "stencil1d.cl"
// out[i] is the sum of in[i - RADIUS] to in[i + RADIUS], added from left to right; what lies outside
// the array counts as 0.

// Every item reads all that it needs from global memory.
extern "C" __global__ void from_global(const float* in, float* out, const unsigned long long n) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < n) {
        float sum = 0;
        if (i >= RADIUS && i + RADIUS < n) {
            for (unsigned int k = 0; k <= 2 * RADIUS; ++k) sum += in[i - RADIUS + k];
        } else {
            for (unsigned int k = 0; k <= 2 * RADIUS; ++k) {
                if (i + k >= RADIUS && i + k - RADIUS < n) sum += in[i + k - RADIUS];
            }
        }
        out[i] = sum;
    }
}

// A group's elements and RADIUS more on both sides (the halo) are read once, into local memory.
extern "C" __global__ void staged(const float* in, float* out, const unsigned long long n) {
    __shared__ __align__(ALIGN) float tile[GROUP + 2 * RADIUS];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t start = size_t(blockIdx.x) * GROUP;
    for (unsigned int t = 0; t < GROUP + 2 * RADIUS; t += GROUP) {
        const size_t at = start + t + lane;
        if (t + lane < GROUP + 2 * RADIUS) {
            tile[t + lane] = at >= RADIUS && at - RADIUS < n ? in[at - RADIUS] : 0;
        }
    }
    __syncthreads();
    if (start + lane < n) {
        float sum = 0;
        for (unsigned int k = 0; k <= 2 * RADIUS; ++k) sum += tile[lane + k];
        out[start + lane] = sum;
    }
}

// The same with ITEMS outputs an item, GROUP apart: the halo is a smaller part of what is read.
extern "C" __global__ void several(const float* in, float* out, const unsigned long long n) {
    __shared__ __align__(ALIGN) float tile[GROUP * ITEMS + 2 * RADIUS];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t start = size_t(blockIdx.x) * (GROUP * ITEMS);
    for (unsigned int t = 0; t < GROUP * ITEMS + 2 * RADIUS; t += GROUP) {
        const size_t at = start + t + lane;
        if (t + lane < GROUP * ITEMS + 2 * RADIUS) {
            tile[t + lane] = at >= RADIUS && at - RADIUS < n ? in[at - RADIUS] : 0;
        }
    }
    __syncthreads();
    for (unsigned int j = 0; j < GROUP * ITEMS; j += GROUP) {
        if (start + j + lane < n) {
            float sum = 0;
            for (unsigned int k = 0; k <= 2 * RADIUS; ++k) sum += tile[j + lane + k];
            out[start + j + lane] = sum;
        }
    }
}

// Four neighbouring outputs an item, in registers: wide loads bring its own elements and, in whole fours,
// RADIUS more on both sides. Other items load those too, so that they come from the cache.
extern "C" __global__ void wide(const float* in, float* out, const unsigned long long n) {
    const unsigned int reach = (RADIUS + 3) / 4 * 4;
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) * 4;
    if (i >= reach && i + 4 + reach <= n) {
        float sums[4];
        for (unsigned int j = 0; j < 4; ++j) sums[j] = 0;
        const float4* from = (const float4*)(in + i - reach);
#pragma unroll
        for (unsigned int q = 0; q <= reach / 2; ++q) {
            const float4 next = from[q];
            float four[4];
            four[0] = next.x;
            four[1] = next.y;
            four[2] = next.z;
            four[3] = next.w;
#pragma unroll
            for (unsigned int e = 0; e < 4; ++e) {
                // Element 4 * q + e of those that are loaded belongs to output j when it is near enough.
                const unsigned int at = 4 * q + e + RADIUS;
#pragma unroll
                for (unsigned int j = 0; j < 4; ++j) {
                    if (at >= reach + j && at <= reach + j + 2 * RADIUS) sums[j] += four[e];
                }
            }
        }
        ((float4*)out)[i / 4] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    } else {
        // Few items come here: the loops stay loops, so that they need no more registers than the others.
#pragma unroll 1
        for (unsigned int j = 0; j < 4 && i + j < n; ++j) {
            float sum = 0;
#pragma unroll 1
            for (unsigned int k = 0; k <= 2 * RADIUS; ++k) {
                if (i + j + k >= RADIUS && i + j + k - RADIUS < n) sum += in[i + j + k - RADIUS];
            }
            out[i + j] = sum;
        }
    }
}
